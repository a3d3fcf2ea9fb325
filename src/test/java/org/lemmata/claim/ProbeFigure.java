package org.lemmata.claim;

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
    public void judge(FigureCells cells, Judgement judgement) {
        cells.records().forEach(record -> {
            double value = record.measurement("value").orElseThrow().value();
            judgement.add(record.cell() + " below 1", value < 1, value >= 1);
        });
    }

    @Override
    public Statement statement() {
        return new Statement(
                "depth.probe.small", new Source(Paper.DEPTH, "figure 0"), Form.AS_STATED, "Probes are below 1.");
    }

    @Override
    public Sizes sizes() {
        return new Sizes("probes", "of 3 sizes", "of 2 sizes");
    }
}
