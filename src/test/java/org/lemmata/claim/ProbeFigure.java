package org.lemmata.claim;

/** A figure of probes, with the claim that each probe's value is below 1. */
public final class ProbeFigure {

    public static final FigureGrid GRID = new FigureGrid("depth.probe", ProbeFigure.class, "probe-figure.yaml");

    public static final FigureClaim CLAIM = new FigureClaim(
            new Statement("depth.probe.small", "figure 0", Form.AS_STATED, "Probes are below 1."),
            Form.AS_STATED.paper(),
            GRID,
            new Sizes("probes", "of 3 sizes", "of 2 sizes"),
            (cells, judgement) -> cells.records().forEach(record -> {
                double value = record.measurement("value").orElseThrow().value();
                judgement.add(record.cell() + " below 1", value < 1, value >= 1);
            }));

    private ProbeFigure() {}

    /** A claim without comparisons on another grid of probes. */
    public static FigureClaim on(FigureGrid grid) {
        return new FigureSentences<>(grid.id(), "figure 0", grid, "a | b | c", cells -> cells)
                .claim("x", "It is.", "It is.", (cells, judgement) -> {});
    }
}
