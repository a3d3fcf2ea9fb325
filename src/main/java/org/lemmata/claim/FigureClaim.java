package org.lemmata.claim;

import java.util.List;

/**
 * A claim on trained models: what a paper says of a figure, as inequalities between cells of a grid. The grid costs
 * minutes to hours; once run, its cells are the evidence that the claim is judged from.
 */
public non-sealed interface FigureClaim extends Claim {

    /** The cells; claims on one figure share them. */
    FigureGrid grid();

    /** What is trained and tested, at both sizes. */
    Sizes sizes();

    @Override
    default List<Budget> budgets() {
        return grid().sizes().contains(Budget.MEDIUM) ? List.of(Budget.values()) : Claim.super.budgets();
    }

    @Override
    default String range(Budget budget) {
        return sizes().range(budget);
    }

    @Override
    default String size(Budget budget) {
        return sizes().size(budget);
    }

    /**
     * Judges the figure from the cells and, where it has a closed form beside the trained models, from the model that
     * the judgement's computation makes of it.
     *
     * @param cells complete, of one budget
     */
    void judge(FigureCells cells, Judgement judgement);

    /** The same, and what comes of it. */
    default Finding judge(FigureCells cells, Computation computation) {
        var judgement = new Judgement(computation);
        judge(cells, judgement);
        return judgement.finding(cells.seeds());
    }

    /**
     * What the cells say of the paper's sentence. It is about the models that the paper trained, so that smaller ones
     * do not refute it; what is beyond the paper is about ours.
     */
    default Finding ofPaper(FigureCells cells, Computation computation) {
        Finding found = judge(cells, computation);
        boolean refutes =
                size(cells.sizes()).equals(Sizes.PAPER) || statement().text().startsWith("Beyond the paper");
        return found.verdict().outcome() == Outcome.REFUTED && !refutes
                ? found.as(
                        NotTested.HYPOTHESIS.because("the sentence is about the paper's models; at a reduced size it "
                                + found.verdict().reason()))
                : found;
    }
}
