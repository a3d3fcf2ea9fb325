package org.lemmata.claim;

import java.util.List;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/**
 * A figure or table of trained models that there are no runs for: it answers inconclusive, and says what is missing.
 *
 * @param missing what it takes to decide it
 */
public record Unmeasured(Statement statement, String missing) implements ComputedClaim {

    /**
     * Of a paper's wording.
     *
     * @param id in the ledger, after the paper's key
     * @param place where it is found
     * @param text the statement
     */
    public static Unmeasured of(Paper paper, String id, String place, String text, String missing) {
        return new Unmeasured(
                new Statement(paper.key() + "." + id, new Source(paper, place), Form.AS_STATED, text),
                "no recorded runs: " + missing);
    }

    @Override
    public String range(Budget budget) {
        return "nothing yet: " + missing;
    }

    @Override
    public List<Budget> budgets() {
        return List.of(Budget.QUICK);
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        return new Finding(new Verdict(Outcome.INCONCLUSIVE, missing), List.of(), List.of());
    }
}
