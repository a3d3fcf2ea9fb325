package org.lemmata.claim;

import java.util.List;
import java.util.function.BiConsumer;

/**
 * A claim about trained models: a paper's sentence about a figure, as inequalities between cells of a grid. Computing
 * the cells takes minutes to hours. They are recorded, and later checks read the records.
 *
 * @param statement the tested sentence
 * @param paper the quotation from the paper
 * @param grid the cells, shared by all claims about the figure
 * @param sizes the models and tests of each size
 * @param judge adds the sentence's inequalities for all cells of one budget. If the figure also shows a construction,
 *     the judgement's computation creates its model
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

    /** Judges the sentence from complete cells of one budget, or from a user's cells. */
    public Finding judge(FigureCells cells, Computation computation) {
        var judgement = new Judgement(computation);
        judge.accept(cells, judgement);
        return judgement.finding(cells.seeds());
    }

    /**
     * Judges the paper's sentence. The sentence is about the models that the paper trained, so smaller models cannot
     * refute it. If the statement has a threshold of ours, failing the statement cannot refute the sentence either.
     * Sentences beyond the paper are about Lemmata's own models and thresholds, which can refute them.
     */
    public Finding ofPaper(FigureCells cells, Computation computation) {
        Finding found = judge(cells, computation);
        if (found.verdict().outcome() != Outcome.REFUTED || statement.text().startsWith("Beyond the paper")) {
            return found;
        }
        String fails = found.verdict().reason();
        if (!size(cells.sizes()).equals(Sizes.PAPER)) {
            return found.as(NotTested.HYPOTHESIS.because(
                    "the sentence is about the paper's models; at a reduced size it " + fails));
        }
        return statement.text().contains("our threshold")
                ? found.as(NotTested.HYPOTHESIS.because("the threshold is ours; with it, the sentence " + fails))
                : found;
    }

    @Override
    public String toString() {
        return id();
    }
}
