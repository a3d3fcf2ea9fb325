package org.lemmata.claim.length;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.Cases;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Sequences;
import org.lemmata.claim.Tally;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.LogitMargin;
import org.lemmata.construct.length.ModPTaskByPeriodicPositions;
import org.lemmata.construct.length.PiecewiseLinearSine;
import org.lemmata.construct.length.SimpleTaskByPiecewiseLinearSine;
import org.lemmata.model.LanguageModel;
import org.lemmata.setting.Setting;
import org.lemmata.task.Task;
import org.lemmata.task.length.LengthRange;
import org.lemmata.task.length.ModPTask;
import org.lemmata.task.length.SimpleTask;
import org.lemmata.token.Batch;

/** Izzo, Nichani and Lee (2025), section 5 and appendix A.2: limit transformers of one layer express both tasks. */
final class TaskValues {

    private static final long SEED = 5_201;
    private static final long SEED_OF_PERIODS = 5_202;

    /** The settings of a construction; with 24 {@code bits}, the construction runs in binary32. */
    private record Sine(double omega, int knots, int p, int bits) {

        @Override
        public String toString() {
            return "omega = " + omega + ", " + knots + " knots, p = " + p + ", " + bits + " bits";
        }
    }

    private static final Cases<Sine> SINES = Cases.of(
            "omega, knots, p, bits",
            row -> new Sine(row.number(0), row.integer(1), row.integer(2), row.integer(3)),
            "1,17,10,53; 8,129,1,53; 4,65,10,24",
            "-2,33,126,53; 64,2049,10,53; 8,1025,3,24");

    static final ComputedClaim SIMPLE_TASK = ComputedClaim.corrected(
                    "length.simple-task", SimpleTaskByPiecewiseLinearSine.SOURCE, """
                    A one-layer limit transformer without positions computes f*(x) = sin(omega (c0 - c1) / (c0 + c1)),
                    where c_s counts the tokens s and 0/0 is 0, with an error of at most (omega h)² / 8 at every
                    length. Its network is piecewise linear with knots at distances of h. Its scores are p at the
                    tokens 0 and 1, and 0 at the token 2. If softmax weights of at most 2^-p times the largest are set
                    to 0, its attention equals hardmax for inputs of 2 tokens or more. Its norm L is at most 2 omega² +
                    |omega| + 1.5 (our bound).
                    """)
            .settings(settings("""
                omega | (-inf, inf) | 1 | frequency; without omega, knots, p and bits the sizes of the budget are tested
                knots | 2..65536 | 17 | points of [-1, 1] where the answer is exact
                """))
            .range(scope -> """
                %s; every input of up to %s tokens, and %s drawn by the task of each length of {lengths}; with the
                bound of rounding added; L and the hardmax length for omega = 1, 2, 4 and 8 at p = 10
                """.formatted(SINES.text(scope), scope.of(6, 9, 9), scope.of(4, 32, 256)))
            .test((scope, computation) -> simpleTask(scope, computation::model));

    static Finding simpleTask(Scope scope, Function<SimpleTaskByPiecewiseLinearSine, LanguageModel> models) {
        var tally = new Tally();
        List<TaskInputs> inputs = TaskInputs.of(
                scope, 3, 1, scope.of(6, 9, 9), scope.of(4, 32, 256), length -> sine(1, length), Tally.random(SEED));
        int maxLength = inputs.stream().mapToInt(TaskInputs::length).max().orElseThrow();
        for (Sine size : SINES.in(scope)) {
            var construction =
                    new SimpleTaskByPiecewiseLinearSine(size.omega(), size.knots(), size.p(), size.bits(), maxLength);
            LanguageModel model = models.apply(construction);
            double bound = construction.errorBound();
            Tally.Extreme errors = tally.atMost("maximum error to length " + maxLength + ", " + size, "", bound);
            inputs.forEach(some -> some.add(errors, model, sine(size.omega(), 1)::value, size + ", "));
        }
        for (int omega : new int[] {1, 2, 4, 8}) {
            var construction = new SimpleTaskByPiecewiseLinearSine(omega, 16 * omega + 1, 10, 53, 2);
            // The bound of NORMS, plus 1 for the residual.
            double norm = 2.0 * omega * omega + omega + 1.5;
            requireConstants("omega = " + omega, LimitFunction.of(construction.build()), norm, tally);
        }
        return tally.finding("every answer is within (omega h)² / 8 and the bound of rounding", SEED);
    }

    private static SimpleTask sine(double omega, int length) {
        return new SimpleTask(SimpleTask.sine(omega), new LengthRange(length, length));
    }

    /** The tolerance for rounding errors: this number, or the unit roundoff of the weights if that is larger. */
    private static final double TIGHT = 1e-14;

    /** The settings of constructions, one per tested residue; with 24 {@code bits}, they run in binary32. */
    private record Periodic(int period, int p, int bits) {

        @Override
        public String toString() {
            return "Delta = " + period + ", p = " + p + ", " + bits + " bits";
        }
    }

    private static final Cases<Periodic> PERIODS = Cases.of(
            "period, p, bits",
            row -> new Periodic(row.integer(0), row.integer(1), row.integer(2)),
            "1,10,53; 2,1,53; 3,10,53; 5,10,24; 10,10,53",
            "5,126,53; 64,10,53; 200,3,24");

    static final ComputedClaim MOD_P_TASK = ComputedClaim.corrected(
                    "length.mod-p-task", ModPTaskByPeriodicPositions.SOURCE, """
                    Fix a residue k. A one-layer limit transformer with Delta-periodic positions computes the average
                    of the tokens (0 or 1) at the positions t = k (mod Delta), to 1e-14 in binary64, at every length of
                    at least Delta. Its scores are p at these positions and 0 elsewhere. If softmax weights of at most
                    2^-p times the largest are set to 0, its attention equals hardmax for inputs of 2 tokens or more.
                    For every Delta, its norm L = |u| (1 + |A|_F |B|_F) max |v| is 1, with the unembedding u, the
                    feed-forward maps A and B, and the values v. The paper's L omits u and the residual connection (the
                    1).
                    """)
            .settings(settings("""
                period | 1..256 | 5 | Delta; without period, p and bits the sizes of the budget are tested
                """))
            .range(scope -> """
                %s; k = 0, 1 and Delta - 1; every input of Delta to %s tokens, and %s drawn by the task of each
                length of {lengths} from Delta on; to 2^-24 with 24 bits; L and the hardmax length for Delta = 2,
                3, 5, 10 and 64 at p = 10
                """.formatted(PERIODS.text(scope), scope.of(8, 12, 12), scope.of(2, 16, 128)))
            .test((scope, computation) -> modPTask(scope, computation::model));

    static Finding modPTask(Scope scope, Function<ModPTaskByPeriodicPositions, LanguageModel> models) {
        var tally = new Tally();
        RandomGenerator random = Tally.random(SEED_OF_PERIODS);
        int exhaustive = scope.of(8, 12, 12);
        int maxLength = Math.max(exhaustive, Collections.max(scope.integers("lengths")));
        for (Periodic size : PERIODS.in(scope)) {
            double allowed = Math.max(TIGHT, Math.scalb(1.0, -size.bits()));
            int period = size.period();
            Tally.Extreme errors = tally.atMost("maximum error to length " + maxLength + ", " + size, "", allowed);
            for (int index : IntStream.of(0, 1, period - 1)
                    .filter(index -> index < period)
                    .distinct()
                    .toArray()) {
                LanguageModel model =
                        models.apply(new ModPTaskByPeriodicPositions(period, index, size.p(), size.bits(), maxLength));
                IntFunction<ModPTask> tasks = length -> new ModPTask(period, index, new LengthRange(length, length));
                for (TaskInputs some :
                        TaskInputs.of(scope, 2, period, exhaustive, scope.of(2, 16, 128), tasks::apply, random)) {
                    some.add(errors, model, tasks.apply(some.length())::value, size + ", k = " + index + ", ");
                }
            }
        }
        for (int period : new int[] {2, 3, 5, 10, 64}) {
            var construction = new ModPTaskByPeriodicPositions(period, 1, 10, 53, period);
            // Section 5: L = Theta(1). The corrected L is 1, because there is no feed-forward part.
            requireConstants("Delta = " + period, LimitFunction.of(construction.build()), 1, tally);
        }
        return tally.finding("every answer is the average, except for the rounding of a quotient", SEED_OF_PERIODS);
    }

    private static List<Setting> settings(String ofConstruction) {
        return Setting.numbers(ofConstruction + """
            p | 1..126 | 10 | bits of the thresholded softmax
            bits | 2..53 | 53 | significand bits of weights and answer: with 24 it runs in binary32
            lengths | 1..1000000 | 10,100,1000,10000,100000 | of drawn inputs
            """);
    }

    /** The hardmax length of the closed forms. With one token, attention is always hardmax. */
    private static final int MIN_LENGTH = 2;

    /**
     * Requires a hardmax length H of at most 2 and a norm L of at most {@code norm}: the constants of theorem 4.1.
     *
     * <p>The closed forms of both tasks have scores p and 0 at p bits, so H = 2. The remarks after the theorem state
     * that H can be small, and section 5 states that L = Theta(1) for ModPTask.
     *
     * @param norm the upper bound of L
     */
    static void requireConstants(String name, LimitFunction function, double norm, Tally tally) {
        long hardmaxLength = LogitMargin.hardmaxLength(function.attention());
        tally.requireAtMost("hardmax length, " + name, (double) hardmaxLength, "tokens", 1, MIN_LENGTH);
        tally.requireAtMost("L, " + name, function.norm(), "", 1, norm);
        tally.atMost("L as printed, " + name, function.factors().printed(), "", 1, norm);
    }

    /**
     * Inputs of one length, for comparing a model's answers with a target.
     *
     * @param inputs every input of the length, or a sample
     */
    private record TaskInputs(int length, List<int[]> inputs) {

        private static final int LONGEST_TEXT = 16;

        /**
         * All inputs of {@code shortest} to {@code exhaustive} tokens, and sampled inputs of a scope's lengths from
         * {@code shortest} on.
         *
         * @param tasks the task of each length, which draws the samples
         */
        static List<TaskInputs> of(
                Scope scope,
                int tokens,
                int shortest,
                int exhaustive,
                int draws,
                IntFunction<Task> tasks,
                RandomGenerator random) {
            Stream<TaskInputs> every = IntStream.rangeClosed(shortest, exhaustive)
                    .mapToObj(length -> new TaskInputs(length, Sequences.every(tokens, length)));
            Stream<TaskInputs> drawn = scope.integers("lengths").stream()
                    .filter(length -> length >= shortest)
                    .map(length -> new TaskInputs(
                            length,
                            Stream.generate(() -> tasks.apply(length)
                                            .sample(random, length)
                                            .inputs())
                                    .limit(draws)
                                    .toList()));
            List<TaskInputs> inputs = Stream.concat(every, drawn).toList();
            Refuse.when(inputs.isEmpty(), "lengths", "one of at least " + shortest, scope.integers("lengths"));
            return inputs;
        }

        /**
         * Adds the distances of the model's answers to a target; an answer of NaN has an infinite distance.
         *
         * @param place the beginning of a counterexample's text
         */
        void add(Tally.Extreme errors, LanguageModel model, ToDoubleFunction<int[]> target, String place) {
            double[] values = model.lastLogits(Batch.of(inputs));

            for (int i = 0; i < values.length; i++) {
                int[] input = inputs.get(i);
                double value = values[i];
                double expected = target.applyAsDouble(input);
                double distance = Math.abs(value - expected);
                errors.add(
                        Double.isNaN(distance) ? Double.POSITIVE_INFINITY : distance,
                        () -> place + "input " + text(input) + ": " + value + " for " + expected);
            }
        }

        private static String text(int[] input) {
            String start = Arrays.stream(input)
                    .limit(LONGEST_TEXT)
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining(" "));
            return input.length > LONGEST_TEXT ? start + " ... of " + input.length + " tokens" : start;
        }
    }

    static final double ERROR = 0.01;

    private static final String KNOTS = ", as few uniform knots as epsilon = " + ERROR + " takes";

    private static final int BITS = 53;

    /**
     * Theorem 4.1's L for SimpleTask: for relu networks, the product of norms grows as omega squared.
     *
     * <p>The paper leaves the activation psi open. If a network computes g, then ||A||_F ||B||_F is at least TV(g') /
     * TV(psi') for any psi whose derivative has a bounded variation TV(psi'); for relu, TV(psi') = 1. If g is close to
     * the sine, TV(g') grows as omega². If psi = sin, one unit with L = omega suffices.
     */
    static final ComputedClaim NORMS = ComputedClaim.corrected(
                    "length.simple-task.norms", SimpleTaskByPiecewiseLinearSine.SOURCE, """
                    Let a network with one relu layer, weights A and B and input values V E approximate sin(omega z)
                    with omega >= 4 on [-1, 1] within epsilon, and let L = ||A||_F ||B||_F max ||V E||. Then its
                    Lipschitz constant is at least (2 - 2 epsilon) omega / pi, and L is at least 4 (1 - epsilon) (omega
                    / pi) (floor(2 omega / pi) - 2). Some networks have a Lipschitz constant of at most omega, and an L
                    of at most 2 omega² + omega + 1/2. The least values are therefore Theta(omega) and Theta(omega²).
                    Read as: all four bounds hold for the network that interpolates the sine at the fewest uniform knots
                    that give epsilon = 0.01. For other networks, the lower bounds are proved, but not tested.
                    """)
            // From 4 on, sin(omega z) has at least two extremes on [-1, 1].
            .byBudget(
                    "omega | 4..65536 | | frequencies; by default those of the budget",
                    "4,8,16,32,64,128,256",
                    "4,8,16,32,64,128,256,512,1024,2048,4096")
            .range(scope -> "omega = " + scope.integers("omega") + KNOTS)
            .test((scope, computation) -> checkNorms(scope.integers("omega"), TaskValues::network));

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
