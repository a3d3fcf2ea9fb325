package org.lemmata.claim;

import java.util.List;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/**
 * A claim without a test: models that have not run, or a form that was retired and keeps its id.
 *
 * @param verdict {@link Outcome#NOT_TESTED}, with its reason
 */
public record UntestedClaim(Statement statement, Verdict verdict) implements ComputedClaim {

    /**
     * A figure or table of trained models without runs.
     *
     * @param id in the ledger, after the paper's key
     * @param place where it is found
     * @param text the statement
     * @param missing what a run needs, and the command that would run it
     */
    public static UntestedClaim ofModels(Paper paper, String id, String place, String text, String missing) {
        return new UntestedClaim(
                new Statement(paper.key() + "." + id, new Source(paper, place), Form.AS_STATED, text),
                NotTested.RUN.because(missing));
    }

    @Override
    public String range(Budget budget) {
        return "nothing";
    }

    @Override
    public String size(Budget budget) {
        return "reduced: nothing ran";
    }

    @Override
    public List<Budget> budgets() {
        return List.of(Budget.QUICK);
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        return new Finding(verdict, List.of(), List.of());
    }
}
