package org.lemmata.claim.length;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Verdict;
import org.lemmata.construct.length.PiecewiseLinearSine;
import org.lemmata.construct.length.SimpleTaskByPiecewiseLinearSine;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

/** Theorem 4.1's L for SimpleTask, corrected: of relu networks the product of norms grows with omega squared. */
public final class SimpleTaskNorms implements ComputedClaim {

    /** How far a network may be from the sine. */
    static final double ERROR = 0.01;

    private static final int BITS = 53;

    /** What the claim is tested on: networks of a frequency. Tests put others here that refute the claim. */
    @FunctionalInterface
    interface Networks {
        PiecewiseLinearSine of(double omega);
    }

    @Override
    public Statement statement() {
        return new Statement(
                "length.simple-task.norms",
                SimpleTaskByPiecewiseLinearSine.SOURCE,
                Form.CORRECTED,
                "Of a relu network within epsilon of sin(omega z) on [-1, 1] the Lipschitz constant is Theta(omega):"
                    + " from (2 - 2 epsilon) omega / pi, at least, to omega; but L = ||A||_F ||B||_F max ||V E|| is"
                    + " Theta(omega²): from 4 (1 - epsilon) (omega / pi) (floor(2 omega / pi) - 2), for every network,"
                    + " to 2 omega² + omega + 1/2 for the piecewise linear one.");
    }

    @Override
    public String range(Budget budget) {
        return "omega = " + frequencies(budget) + ", as few uniform knots as epsilon = " + ERROR + " takes";
    }

    @Override
    public List<Budget> budgets() {
        return List.of(Budget.QUICK, Budget.STANDARD);
    }

    /** From 4 on, where the sine has two extremes at least. */
    static List<Integer> frequencies(Budget budget) {
        return Stream.iterate(4, omega -> omega <= (budget == Budget.QUICK ? 256 : 4096), omega -> 2 * omega)
                .toList();
    }

    /** The smallest n with (omega h)² / 8 at most epsilon. */
    static PiecewiseLinearSine network(double omega) {
        return new PiecewiseLinearSine(omega, (int) Math.ceil(omega / Math.sqrt(2 * ERROR)) + 1, BITS);
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        return check(frequencies(budget), SimpleTaskNorms::network);
    }

    static Finding check(List<Integer> frequencies, Networks networks) {
        List<Measurement> measured = new ArrayList<>();
        List<String> counterexamples = new ArrayList<>();
        for (int omega : frequencies) {
            PiecewiseLinearSine network = networks.of(omega);
            double error = network.interpolationBound();
            double slope = network.lipschitzConstant();
            double norm = network.frobeniusProduct();
            double minSlope = (2 - 2 * ERROR) * omega / Math.PI;
            double minNorm = PiecewiseLinearSine.minFrobeniusProduct(omega, ERROR);
            double maxNorm = 2.0 * omega * omega + omega + 0.5;
            if (!(error <= ERROR && minSlope <= slope && slope <= omega && minNorm <= norm && norm <= maxNorm)) {
                counterexamples.add("omega = " + omega + ", " + network.units() + " knots: error " + error
                        + ", Lipschitz"
                        + " constant " + slope + " in [" + minSlope + ", " + omega + "], L = " + norm + " in ["
                        + minNorm + ", " + maxNorm + "]");
            }
            measured.add(Measurement.exactAtMost("Lipschitz constant, omega = " + omega, slope, "", 1, omega));
            measured.add(new Measurement(
                    "L, omega = " + omega,
                    norm,
                    "",
                    Interval.exact(norm),
                    1,
                    new Reference(Relation.AT_LEAST, minNorm)));
        }
        return new Finding(Verdict.of(counterexamples, "both are within their bounds"), measured, List.of());
    }
}
