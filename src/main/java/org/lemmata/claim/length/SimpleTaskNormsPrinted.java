package org.lemmata.claim.length;

import java.util.ArrayList;
import java.util.List;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Verdict;
import org.lemmata.construct.length.PiecewiseLinearSine;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement;

/**
 * Theorem 4.1's L for SimpleTask, as printed: L = Theta(omega), of relu.
 *
 * <p>The paper leaves psi open. ||A||_F ||B||_F is at least TV(g') / TV(psi') for any psi whose derivative has a
 * bounded variation TV(psi'), 1 for relu, and the variation of a slope that turns with the sine grows as omega²; psi =
 * sin itself has none, and needs one unit with L = omega.
 */
public final class SimpleTaskNormsPrinted implements ComputedClaim {

    /** Between linear, 1, and quadratic growth, 2. */
    private static final double MAX_EXPONENT = 1.5;

    @Override
    public Statement statement() {
        return new Statement(
                "length.simple-task.norms.printed",
                new Source(Paper.LENGTH, "section 5, figure 1 and appendix A.2"),
                Form.PRINTED,
                "As printed: a network approximates sin(omega z) with norms Theta(omega), so that L = Theta(omega);"
                        + " read of relu, and as L growing by a factor of at most 2^1.5 where omega doubles.");
    }

    @Override
    public String range(Budget budget) {
        return new SimpleTaskNorms().range(Budget.QUICK);
    }

    @Override
    public List<Budget> budgets() {
        return List.of(Budget.QUICK);
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        return check(SimpleTaskNorms.frequencies(Budget.QUICK), SimpleTaskNorms::network);
    }

    static Finding check(List<Integer> frequencies, SimpleTaskNorms.Networks networks) {
        List<Measurement> measured = new ArrayList<>();
        List<String> counterexamples = new ArrayList<>();
        for (int i = 1; i < frequencies.size(); i++) {
            double before = norm(frequencies.get(i - 1), networks);
            double after = norm(frequencies.get(i), networks);
            double octaves = Math.log((double) frequencies.get(i) / frequencies.get(i - 1));
            double exponent = Math.log(after / before) / octaves;
            String text = "omega = " + frequencies.get(i - 1) + " to " + frequencies.get(i);
            if (!(exponent <= MAX_EXPONENT)) {
                double minimum = PiecewiseLinearSine.minFrobeniusProduct(frequencies.get(i), SimpleTaskNorms.ERROR);
                counterexamples.add(text + ": L from " + before + " to " + after + ", an exponent of " + exponent
                        + "; every relu network has at least " + minimum);
            }
            measured.add(Measurement.exactAtMost("exponent of L, " + text, exponent, "", 1, MAX_EXPONENT));
        }
        return new Finding(Verdict.of(counterexamples, "L grows like omega"), measured, List.of());
    }

    private static double norm(double omega, SimpleTaskNorms.Networks networks) {
        return networks.of(omega).frobeniusProduct();
    }
}
