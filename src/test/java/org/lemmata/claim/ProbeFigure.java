package org.lemmata.claim;

import java.util.List;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/** A figure of probes, which says that each gives a number below 1. */
public final class ProbeFigure implements FigureClaim {

    public static final FigureGrid GRID = new FigureGrid("depth.probe", ProbeFigure.class, "probe-figure.yaml");

    @Override
    public FigureGrid grid() {
        return GRID;
    }

    @Override
    public Finding judge(FigureCells cells, Computation computation) {
        var inequalities = new Inequalities();
        cells.records().forEach(record -> {
            double value = record.measurement("value").orElseThrow().value();
            inequalities.add(record.cell() + " below 1", value < 1, value >= 1);
        });
        return new Finding(inequalities.verdict(), List.of(), cells.seeds());
    }

    @Override
    public String id() {
        return "depth.probe.small";
    }

    @Override
    public Source source() {
        return new Source(Paper.DEPTH, "figure 0");
    }

    @Override
    public Form form() {
        return Form.AS_STATED;
    }

    @Override
    public String statement() {
        return "Probes are below 1.";
    }

    @Override
    public String range(Budget budget) {
        return budget.label() + " sizes";
    }
}
