package org.lemmata.claim;

/**
 * A claim on trained models: what a paper says of a figure, as inequalities between cells of a grid. The grid costs
 * minutes to hours; once run, its cells are the evidence that the claim is judged from.
 */
public non-sealed interface FigureClaim extends Claim {

    /**
     * The verdict's label that is expected at some sizes, which need not show what the paper's do; what the paper says,
     * by default.
     *
     * @param sizes standard for the reduced ones, full for the paper's
     */
    default String expected(Budget sizes) {
        return expected();
    }

    /** What the paper says of a figure is tested as it stands. */
    @Override
    default Form form() {
        return Form.AS_STATED;
    }

    /** The cells; claims on one figure share them. */
    FigureGrid grid();

    /**
     * Judges the figure. What it finds follows from the cells and, where the figure has a closed form beside the
     * trained models, from the model that {@code computation} makes of it.
     *
     * @param cells complete, of one budget
     */
    Finding judge(FigureCells cells, Computation computation);
}
