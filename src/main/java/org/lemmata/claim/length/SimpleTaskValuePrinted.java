package org.lemmata.claim.length;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/**
 * The target as section 5 prints it, where the minus sign is lost: averages do not tell a sequence from one twice as
 * long, and the printed argument grows with the length.
 */
public final class SimpleTaskValuePrinted implements ComputedClaim {

    private static final int LONGEST = 4;

    @Override
    public Statement statement() {
        return new Statement(
                "length.simple-task.printed",
                new Source(Paper.LENGTH, "section 5, SimpleTask"),
                Form.PRINTED,
                "As printed: the limit transformer of appendix A.2 gives f*(x) = sin(omega c0 c1 / (c0 + c1)), within"
                        + " (omega h)² / 8.");
    }

    @Override
    public String range(Budget budget) {
        return sizes().getFirst() + "; every input of up to " + LONGEST + " tokens, 0 / 0 read as 0";
    }

    @Override
    public List<Budget> budgets() {
        return List.of(Budget.QUICK);
    }

    private static List<SimpleTaskValue.Size> sizes() {
        return SimpleTaskValue.sizes(Budget.QUICK).subList(0, 1);
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        return SimpleTaskValue.check(
                sizes(),
                SimpleTaskValue.inputs(LONGEST, List.of(), 0),
                SimpleTaskValuePrinted::target,
                computation::model);
    }

    static ToDoubleFunction<int[]> target(double omega) {
        return input -> {
            int[] counts = new int[3];
            for (int token : input) {
                counts[token]++;
            }
            int attended = counts[0] + counts[1];
            return attended == 0 ? 0 : Math.sin(omega * counts[0] * counts[1] / attended);
        };
    }
}
