package org.lemmata.claim.length;

import java.util.List;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;
import org.lemmata.claim.Budget;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.construct.length.PiecewiseLinearSine;
import org.lemmata.construct.length.SimpleTaskByPiecewiseLinearSine;

/**
 * Theorem 4.1's L for SimpleTask: of relu networks the product of norms grows with omega squared.
 *
 * <p>The paper leaves psi open. ||A||_F ||B||_F is at least TV(g') / TV(psi') for any psi whose derivative has a
 * bounded variation TV(psi'), 1 for relu, and the variation of a slope that turns with the sine grows as omega²; psi =
 * sin itself has none, and needs one unit with L = omega.
 */
final class SimpleTaskNorms {

    /** How far a network may be from the sine. */
    static final double ERROR = 0.01;

    private static final String KNOTS = ", as few uniform knots as epsilon = " + ERROR + " takes";

    private static final int BITS = 53;

    static final ComputedClaim CLAIM = ComputedClaim.corrected(
                    "length.simple-task.norms", SimpleTaskByPiecewiseLinearSine.SOURCE, """
                    Of a relu network within epsilon of sin(omega z) on [-1, 1] the Lipschitz constant is Theta(omega):
                    from (2 - 2 epsilon) omega / pi, at least, to omega; but L = ||A||_F ||B||_F max ||V E|| is
                    Theta(omega²): from 4 (1 - epsilon) (omega / pi) (floor(2 omega / pi) - 2), for every network, to 2
                    omega² + omega + 1/2 for the piecewise linear one.
                    """)
            .settings("omega | 4..65536 | | frequencies; by default those of the budget")
            .budgets(Budget.QUICK, Budget.STANDARD)
            .range(scope -> "omega = " + frequencies(scope) + KNOTS)
            .test((scope, computation) -> check(frequencies(scope), SimpleTaskNorms::network));

    private SimpleTaskNorms() {}

    /** From 4 on, where the sine has two extremes at least. */
    private static List<Integer> frequencies(Scope scope) {
        return scope.integers(
                "omega",
                Stream.iterate(4, omega -> omega <= scope.of(256, 4096, 4096), omega -> 2 * omega)
                        .toList());
    }

    /** The smallest n with (omega h)² / 8 at most epsilon. */
    static PiecewiseLinearSine network(double omega) {
        return new PiecewiseLinearSine(omega, (int) Math.ceil(omega / Math.sqrt(2 * ERROR)) + 1, BITS);
    }

    static Finding check(List<Integer> frequencies, DoubleFunction<PiecewiseLinearSine> networks) {
        var tally = new Tally();
        for (int omega : frequencies) {
            PiecewiseLinearSine network = networks.apply(omega);
            double error = network.interpolationBound();
            double slope = network.lipschitzConstant();
            double norm = network.frobeniusProduct();
            double minSlope = (2 - 2 * ERROR) * omega / Math.PI;
            double minNorm = PiecewiseLinearSine.minFrobeniusProduct(omega, ERROR);
            double maxNorm = 2.0 * omega * omega + omega + 0.5;
            tally.require(
                    error <= ERROR && minSlope <= slope && slope <= omega && minNorm <= norm && norm <= maxNorm,
                    () -> "omega = " + omega + ", " + network.units() + " knots: error " + error
                            + ", Lipschitz constant " + slope + " in [" + minSlope + ", " + omega + "], L = " + norm
                            + " in [" + minNorm + ", " + maxNorm + "]");
            tally.atMost("Lipschitz constant, omega = " + omega, slope, "", 1, omega);
            tally.atLeast("L, omega = " + omega, norm, "", 1, minNorm);
        }
        return tally.finding("both are within their bounds");
    }
}
