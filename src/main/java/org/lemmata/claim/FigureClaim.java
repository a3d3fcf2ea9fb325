package org.lemmata.claim;

import java.util.List;
import java.util.function.BiConsumer;

/**
 * A claim on trained models: what a paper says of a figure, as inequalities between cells of a grid. The grid costs
 * minutes to hours; once run, its cells are the evidence that the claim is judged from.
 *
 * @param statement the sentence that is tested
 * @param paper the paper's words
 * @param grid the cells; claims on one figure share them
 * @param sizes what is trained and tested at each size
 * @param judge adds the sentence's inequalities from complete cells of one budget and, where the figure has a closed
 *     form beside the trained models, from the model that the judgement's computation makes of it
 */
public record FigureClaim(
        Statement statement, String paper, FigureGrid grid, Sizes sizes, BiConsumer<FigureCells, Judgement> judge)
        implements Claim {

    @Override
    public List<Budget> budgets() {
        return grid.sizes().contains(Budget.MEDIUM) ? List.of(Budget.values()) : Claim.super.budgets();
    }

    @Override
    public String range(Budget budget) {
        return sizes.range(budget);
    }

    @Override
    public String size(Budget budget) {
        return sizes.size(budget);
    }

    /** Judges the figure from complete cells of one budget. */
    public Finding judge(FigureCells cells, Computation computation) {
        var judgement = new Judgement(computation);
        judge.accept(cells, judgement);
        return judgement.finding(cells.seeds());
    }

    /**
     * What the cells say of the paper's sentence. It is about the models that the paper trained, so that smaller ones
     * do not refute it; what is beyond the paper is about ours.
     */
    public Finding ofPaper(FigureCells cells, Computation computation) {
        Finding found = judge(cells, computation);
        boolean refutes =
                size(cells.sizes()).equals(Sizes.PAPER) || statement.text().startsWith("Beyond the paper");
        return found.verdict().outcome() == Outcome.REFUTED && !refutes
                ? found.as(
                        NotTested.HYPOTHESIS.because("the sentence is about the paper's models; at a reduced size it "
                                + found.verdict().reason()))
                : found;
    }

    @Override
    public String toString() {
        return id();
    }
}
