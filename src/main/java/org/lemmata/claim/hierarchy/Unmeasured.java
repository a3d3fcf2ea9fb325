package org.lemmata.claim.hierarchy;

import java.util.List;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Verdict;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/**
 * A table of trained models that there are no runs for: it answers inconclusive, and says what is
 * missing.
 *
 * @param missing what it takes to decide it
 */
public record Unmeasured(Statement statement, String missing) implements ComputedClaim {

    private static final String TEXT = "no recorded runs: models of 124 million parameters on WikiText-103 and"
            + " OpenWebText, which are not part of this project; the paper took 20 to 100 GPU hours each";

    /** Tables 2 and 6. */
    public static final List<Unmeasured> ALL = List.of(
            of(
                    "table-2",
                    "table 2 and figure 12",
                    "On text, normalization within the feed-forward part has about the perplexity of that after or"
                            + " before parts, and a lower one than none.",
                    TEXT),
            of(
                    "table-6",
                    "table 6 and figure 13",
                    "On text at 1.2 times the training length, models without positions have lower perplexities than"
                            + " those with positions.",
                    TEXT));

    private static Unmeasured of(String id, String place, String text, String missing) {
        return new Unmeasured(
                new Statement("hierarchy." + id, new Source(Paper.HIERARCHY, place), Form.AS_STATED, text), missing);
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
