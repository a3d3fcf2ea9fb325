package org.lemmata.claim.depth;

import java.util.ArrayList;
import java.util.List;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Verdict;
import org.lemmata.statistic.Measurement;

/** Richard (2024), section 3.2, stability, with mu_r as printed. */
public final class StabilityPrinted implements ComputedClaim {

    private static final int STEPS = 12;

    /** Far above rounding, far below what mu_r is off by. */
    private static final double TOLERANCE = 1e-9;

    @Override
    public Statement statement() {
        return new Statement(
                "depth.stability.printed",
                new Stability().statement().source(),
                Form.PRINTED,
                "Sequences continued by the head's output differ by c_{r+1} = mu_r c_r with mu_r = (1 + (r + 1) gamma)"
                        + " / (r gamma): 1 - 1/r at gamma = -1/2, and 1 + 3/r at +1/2.");
    }

    @Override
    public String range(Budget budget) {
        return STEPS + " steps of two real-valued sequences, gamma = -1/2 and +1/2";
    }

    @Override
    public List<Budget> budgets() {
        return List.of(Budget.QUICK);
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        List<Measurement> measured = new ArrayList<>();
        List<String> counterexamples = new ArrayList<>();
        for (double gamma : List.of(-0.5, 0.5)) {
            double[] differences = FreeRun.differences(STEPS, gamma, false, computation::model);
            double maximum = 0;
            for (int r = 1; r < STEPS; r++) {
                double factor = FreeRun.printedFactor(r, gamma);
                double error = Math.abs(differences[r] - factor * differences[r - 1]);
                maximum = Math.max(maximum, error);
                if (!(error <= TOLERANCE)) {
                    counterexamples.add("gamma = " + gamma + ", r = " + r + ": from " + differences[r - 1] + " to "
                            + differences[r] + " against a factor of " + factor);
                }
            }
            measured.add(Measurement.exactAtMost(
                    "maximum distance of c_{r+1} from mu_r c_r, gamma = " + gamma, maximum, "", STEPS - 1, TOLERANCE));
        }
        Verdict verdict = Verdict.of(counterexamples, "differences follow mu_r");
        return new Finding(verdict, measured, List.of());
    }
}
