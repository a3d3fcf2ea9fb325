package org.lemmata.claim.length;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongBiFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.construct.length.LogitMargin;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.setting.Settings;

/**
 * Izzo, Nichani and Lee (2025), section 3.2: thresholded softmax equals hardmax at every length from N = ceil(2^(p /
 * gamma)) on, and, if p &gt; gamma, not at N - 1. Here gamma is the maximum logit minus the largest logit below it.
 *
 * <p>One column of the values is 1 wherever the logit is not the maximum. With hardmax, the output of this column is 0,
 * so any remaining weight is visible, however small. Scores and biases are multiples of 1/8, so their sums, the logits,
 * are exact in binary32.
 */
final class Hardmax {

    static final long SEED = 3_200;

    private static final int MAX_LENGTH = 400;

    private static final double MAX_EXPONENT = Math.log(MAX_LENGTH) / Math.log(2);

    private static final int MAX_BITS = 24;

    private static final float GRID = 8;

    /**
     * One row of logits.
     *
     * @param bits p
     * @param levels the logits that occur in the row: the maximum, then a smaller one, then any others
     * @param biases phi, by distance from the last position
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Instance(int bits, float[] levels, float[] biases) {

        double margin() {
            return IntStream.range(0, levels.length)
                    .mapToDouble(i -> (double) levels[0] - levels[i])
                    .filter(gap -> gap > 0)
                    .min()
                    .orElseThrow();
        }

        boolean isLegal() {
            double exponent = bits / margin();
            return exponent > 1 && exponent <= MAX_EXPONENT;
        }

        /** A row that contains every level if the length allows it, and always the first two levels. */
        LastRow row(int length, RandomGenerator random) {
            float[] scores = new float[length];
            float[][] values = new float[length][];
            for (int j = 0; j < length; j++) {
                float logit = levels[j < levels.length ? j : random.nextInt(levels.length)];
                int distance = length - 1 - j;
                scores[j] = logit - (distance < biases.length ? biases[distance] : 0);
                values[j] = new float[] {logit < levels[0] ? 1 : 0, (float) random.nextGaussian()};
            }
            return new LastRow(scores, biases, values, bits);
        }

        @Override
        public String toString() {
            return "p = " + bits + ", logits " + Arrays.toString(levels) + ", phi " + Arrays.toString(biases);
        }
    }

    static final ComputedClaim CLAIM = ComputedClaim.asStated("length.hardmax", "section 3.2", """
        Let gamma be the difference between the largest logit and the next smaller value. For N tokens, multiply the
        logits by ln N, take the softmax, set all weights that are at most 2^-p times the largest weight to 0, and
        divide the others by their sum. The result equals hardmax (equal weights for all largest logits) for all N >=
        2^(p / gamma). Beyond the paper: if p > gamma, it does not for the largest integer N below 2^(p / gamma). (This
        tests the attention kernels, which set a weight to 0 if log2(N) times its gap is at least p.)
        """)
            .settings("""
                p | 1..24 | | bits of the thresholded softmax; drawn by default
                gamma | [1/8, 5] | | margin, a multiple of 1/8 with p / gamma above 1 and at most log2 400; drawn by
                  default
                """)
            .byBudget("rows | 1..1000000 | how many are drawn", "300", "10000", "30000")
            .range(Hardmax::range)
            .test(Hardmax::check);

    private static String range(Scope scope) {
        Settings settings = scope.settings();
        OptionalDouble gamma = margin(settings);
        return """
            %s random rows of 2 to 6 logits and up to 3 score biases, multiples of 1/%s, p = %s%s, N from 3 to %s; at N -
            1, N, N + 1 and 2 N, on the scalar kernel and on the vector kernel, bit by bit
            """.formatted(
                        scope.integer("rows"),
                        (int) GRID,
                        settings.text("p").orElse("1 to 24"),
                        gamma.isPresent() ? ", gamma = " + gamma.getAsDouble() : "",
                        MAX_LENGTH);
    }

    private static OptionalDouble margin(Settings settings) {
        if (!settings.hasAny("gamma")) {
            return OptionalDouble.empty();
        }
        double margin = settings.number("gamma");
        int first = settings.given("p").orElse(1);
        int last = settings.given("p").orElse(MAX_BITS);
        boolean drawn = GRID * margin == Math.rint(GRID * margin);
        if (!drawn || first > MAX_EXPONENT * margin || last <= margin) {
            throw new IllegalArgumentException("gamma: expected a multiple of 1/8 from 0.125 to 5, with p / gamma above"
                    + " 1 and at most log2 " + MAX_LENGTH + ", got " + margin);
        }
        return OptionalDouble.of(margin);
    }

    private static Finding check(Scope scope, Computation computation) {
        RandomGenerator random = Tally.random(SEED);
        Optional<Integer> bits = scope.settings().given("p");
        OptionalDouble margin = margin(scope.settings());
        List<Instance> instances = Stream.generate(() -> draw(random))
                .map(drawn -> new Instance(bits.orElse(drawn.bits()), drawn.levels(), drawn.biases()))
                .filter(Instance::isLegal)
                .filter(instance -> margin.isEmpty() || instance.margin() == margin.getAsDouble())
                .limit(scope.integer("rows"))
                .toList();
        return check(instances, LogitMargin::hardmaxLength, random);
    }

    private static Instance draw(RandomGenerator random) {
        float[] levels = new float[random.nextInt(2, 7)];
        float maximum = random.nextInt(-20, 21) / GRID;
        levels[0] = maximum;
        levels[1] = maximum - random.nextInt(1, 41) / GRID;
        for (int i = 2; i < levels.length; i++) {
            levels[i] = random.nextBoolean() ? maximum : maximum - random.nextInt(1, 81) / GRID;
        }
        float[] biases = new float[random.nextInt(4)];
        for (int i = 0; i < biases.length; i++) {
            biases[i] = random.nextInt(-16, 17) / GRID;
        }
        return new Instance(random.nextInt(1, MAX_BITS + 1), levels, biases);
    }

    static Finding check(List<Instance> instances, ToLongBiFunction<Integer, Double> rule, RandomGenerator random) {
        var tally = new Tally();
        int different = 0;
        int alike = 0;
        long rows = 0;
        for (Instance instance : instances) {
            int minimum = Math.toIntExact(rule.applyAsLong(instance.bits(), instance.margin()));
            for (int length : new int[] {minimum - 1, minimum, minimum + 1, 2 * minimum}) {
                // The first two logits of the row are the maximum and the largest logit below it.
                LastRow row = nearestSecond(instance).row(length, random);
                for (var kernel : LastRow.KERNELS.entrySet()) {
                    float[] thresholded = row.thresholded(kernel.getValue());
                    float[] hard = row.hard(kernel.getValue());
                    boolean same = Arrays.equals(thresholded, hard);
                    boolean claimed = length >= minimum;
                    rows++;
                    different += claimed && !same ? 1 : 0;
                    alike += same && !claimed ? 1 : 0;
                    tally.require(
                            same == claimed,
                            () -> instance + ", length " + length + ", claimed from " + minimum + " on: "
                                    + kernel.getKey() + " kernel gives " + Arrays.toString(thresholded) + ", hardmax "
                                    + Arrays.toString(hard));
                }
            }
        }
        tally.atMost("rows of at least N positions that differ from hardmax", different, "rows", rows / 4 * 3, 0);
        tally.atMost("rows of N - 1 positions that do not", alike, "rows", rows / 4, 0);
        return tally.finding("every row equals hardmax from N on, bit by bit, and differs at N - 1", SEED);
    }

    private static Instance nearestSecond(Instance instance) {
        float[] levels = instance.levels().clone();
        float nearest = (float) (levels[0] - instance.margin());
        for (int i = 1; i < levels.length; i++) {
            if (levels[i] == nearest) {
                levels[i] = levels[1];
                levels[1] = nearest;
                break;
            }
        }
        return new Instance(instance.bits(), levels, instance.biases());
    }

    /**
     * The attention of the last position, computed by a kernel, with thresholded softmax or hardmax. Scores, with their
     * biases, are multiplied by the logarithm of the length.
     *
     * @param scores the scores of every position, without the score bias
     * @param biases phi, by distance from 0 on
     * @param values one row per position
     * @param bits p
     */
    @SuppressWarnings("ArrayRecordComponent") // The arrays are buffers of a kernel.
    record LastRow(float[] scores, float[] biases, float[][] values, int bits) {

        static final Map<String, Attention> KERNELS = Map.of(
                "scalar", Kernels.scalar().attention(), "vector", Kernels.best().attention());

        float[] thresholded(Attention kernel) {
            return run(kernel, shape(Weighting.HARDMAX).withThreshold(bits));
        }

        float[] hard(Attention kernel) {
            return run(kernel, shape(Weighting.HARDMAX));
        }

        private AttentionShape shape(Weighting weighting) {
            return new AttentionShape(weighting, 1, values[0].length, 1)
                    .withLogLength(LogLength.SEQUENCE)
                    .withScoreBias(biases.length);
        }

        /** Runs a kernel with queries (1, 0, ...) and keys (score, 0, ...). */
        private float[] run(Attention kernel, AttentionShape shape) {
            int length = scores.length;
            int width = shape.width();
            float[] queries = new float[length * width];
            float[] keys = new float[length * width];
            float[] flat = new float[length * width];
            for (int j = 0; j < length; j++) {
                queries[j * width] = 1;
                keys[j * width] = scores[j];
                System.arraycopy(values[j], 0, flat, j * width, width);
            }
            float[] outputs = new float[length * width];
            kernel.forward(
                    AttentionOutputs.of(outputs),
                    AttentionInputs.of(queries, keys, flat).withScoreBiases(biases),
                    RaggedOffsets.ofLengths(length),
                    shape);
            return Arrays.copyOfRange(outputs, (length - 1) * width, length * width);
        }
    }
}
