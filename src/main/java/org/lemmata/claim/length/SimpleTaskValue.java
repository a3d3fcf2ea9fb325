package org.lemmata.claim.length;

import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.PiecewiseLinearSine;
import org.lemmata.construct.length.SimpleTaskByPiecewiseLinearSine;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Setting;
import org.lemmata.task.length.LengthRange;
import org.lemmata.task.length.LinkFunction;
import org.lemmata.task.length.SimpleTask;

/** Izzo, Nichani and Lee (2025), section 5 and appendix A.2: a limit transformer of one layer expresses SimpleTask. */
final class SimpleTaskValue {

    private static final long SEED = 5_201;

    private static final List<Setting> SETTINGS = TaskInputs.settings("""
        omega | (-inf, inf) | 1 | frequency; without omega, knots, p and bits the sizes of the budget are tested
        knots | 2..65536 | 17 | points of [-1, 1] where the answer is exact
        """);

    /** A construction's settings; {@code bits} of 24 run on the kernels in binary32. */
    record Size(double omega, int knots, int p, int bits) {

        @Override
        public String toString() {
            return "omega = " + omega + ", " + knots + " knots, p = " + p + ", " + bits + " bits";
        }
    }

    static final ComputedClaim CLAIM = ComputedClaim.corrected(
                    "length.simple-task", SimpleTaskByPiecewiseLinearSine.SOURCE, """
                    A limit transformer of one layer without positions, whose scores are p and 0 at p bits and whose
                    network is piecewise linear with knots h apart, gives f*(x) = sin(omega (c0 - c1) / (c0 + c1))
                    within (omega h)² / 8 at every length; hardmax comes at 2 tokens, and its L is at most 2 omega² +
                    omega + 1.5 (ours).
                    """)
            .settings(SETTINGS)
            .range(scope -> """
                %s; every input of up to %s tokens, and %s drawn by the task of each length of {lengths}; with the
                bound of rounding added; L and the hardmax length for omega = 1, 2, 4 and 8 at p = 10
                """.formatted(
                            sizes(scope).stream().map(Size::toString).collect(Collectors.joining("; ")),
                            exhaustiveLength(scope.budget()),
                            draws(scope.budget())))
            .test(SimpleTaskValue::check);

    private static List<Size> sizes(Scope scope) {
        return scope.cases(
                "omega, knots, p, bits",
                row -> new Size(
                        row.get(0),
                        row.get(1).intValue(),
                        row.get(2).intValue(),
                        row.get(3).intValue()),
                "1,17,10,53; 8,129,1,53; 4,65,10,24",
                "-2,33,126,53; 64,2049,10,53; 8,1025,3,24");
    }

    private static int exhaustiveLength(Budget budget) {
        return budget.of(6, 9, 9);
    }

    private static int draws(Budget budget) {
        return budget.of(4, 32, 256);
    }

    private static Finding check(Scope scope, Computation computation) {
        var tally = new Tally();
        check(
                sizes(scope),
                inputs(exhaustiveLength(scope.budget()), scope.integers("lengths"), draws(scope.budget())),
                SimpleTaskValue::target,
                computation::model,
                tally);
        TaskInputs.addConstants(forms(), tally);
        return tally.finding("every answer is within (omega h)² / 8 and the bound of rounding", SEED);
    }

    /** L is at most the bound of {@link #NORMS} plus 1, which is the residual's part. */
    private static List<TaskInputs.Case> forms() {
        return Stream.of(1, 2, 4, 8)
                .map(omega -> new TaskInputs.Case(
                        "omega = " + omega,
                        LimitFunction.of(new SimpleTaskByPiecewiseLinearSine(omega, 16 * omega + 1, 10, 53, 2).build()),
                        2.0 * omega * omega + omega + 1.5))
                .toList();
    }

    /** sin(omega (c0 - c1) / (c0 + c1)). */
    static ToDoubleFunction<int[]> target(double omega) {
        return task(omega, 1)::value;
    }

    private static SimpleTask task(double omega, int length) {
        return new SimpleTask(new LinkFunction.Sine(omega), new LengthRange(length, length));
    }

    static List<TaskInputs> inputs(int exhaustive, List<Integer> lengths, int draws) {
        return TaskInputs.of(3, 1, exhaustive, lengths, draws, length -> task(1, length), Tally.random(SEED));
    }

    static void check(
            List<Size> sizes,
            List<TaskInputs> inputs,
            DoubleFunction<ToDoubleFunction<int[]>> targets,
            Function<SimpleTaskByPiecewiseLinearSine, LanguageModel> models,
            Tally tally) {
        int maxLength = inputs.stream().mapToInt(TaskInputs::length).max().orElseThrow();
        for (Size size : sizes) {
            var construction =
                    new SimpleTaskByPiecewiseLinearSine(size.omega(), size.knots(), size.p(), size.bits(), maxLength);
            LanguageModel model = models.apply(construction);
            double bound = construction.errorBound();
            Tally.Extreme errors = tally.atMost("maximum error to length " + maxLength + ", " + size, "", bound);
            for (TaskInputs some : inputs) {
                errors.add(some.distance(model, targets.apply(size.omega()), bound, size + ", ", tally));
                errors.count(some.inputs().size());
            }
        }
    }

    /** The maximum distance of a network from the sine. */
    static final double ERROR = 0.01;

    private static final String KNOTS = ", as few uniform knots as epsilon = " + ERROR + " takes";

    private static final int BITS = 53;

    /**
     * Theorem 4.1's L for SimpleTask: for relu networks, the product of norms grows as omega squared.
     *
     * <p>The paper leaves psi open. ||A||_F ||B||_F is at least TV(g') / TV(psi') for any psi whose derivative has a
     * bounded variation TV(psi'), 1 for relu, and the variation of the slope of a function close to the sine grows as
     * omega². If psi = sin, one unit with L = omega suffices.
     */
    static final ComputedClaim NORMS = ComputedClaim.corrected(
                    "length.simple-task.norms", SimpleTaskByPiecewiseLinearSine.SOURCE, """
                    Of a relu network within epsilon of sin(omega z) on [-1, 1] the Lipschitz constant is Theta(omega):
                    from (2 - 2 epsilon) omega / pi, at least, to omega; but L = ||A||_F ||B||_F max ||V E|| is
                    Theta(omega²): from 4 (1 - epsilon) (omega / pi) (floor(2 omega / pi) - 2), for every network, to 2
                    omega² + omega + 1/2 for the piecewise linear one.
                    """)
            .settings("omega | 4..65536 | | frequencies; by default those of the budget")
            .budgets(Budget.QUICK, Budget.STANDARD)
            .range(scope -> "omega = " + frequencies(scope) + KNOTS)
            .test((scope, computation) -> checkNorms(frequencies(scope), SimpleTaskValue::network));

    /** Frequencies from 4 on, at which the sine has at least two extremes. */
    private static List<Integer> frequencies(Scope scope) {
        return scope.integers(
                "omega",
                Stream.iterate(4, omega -> omega <= scope.of(256, 4096, 4096), omega -> 2 * omega)
                        .toList());
    }

    /** The network with the fewest knots for which (omega h)² / 8 is at most epsilon. */
    static PiecewiseLinearSine network(double omega) {
        return new PiecewiseLinearSine(omega, (int) Math.ceil(omega / Math.sqrt(2 * ERROR)) + 1, BITS);
    }

    static Finding checkNorms(List<Integer> frequencies, DoubleFunction<PiecewiseLinearSine> networks) {
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
