package org.lemmata.claim.length;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Verdict;
import org.lemmata.construct.length.LogitMargin;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement;

/**
 * Izzo, Nichani and Lee (2025), section 3.2: thresholded softmax is hardmax from N = 2^(p / gamma) on, gamma being the
 * minimum distance of a logit to the largest one, and not at N - 1.
 *
 * <p>A column of the values is 1 wherever the logit is not the maximum: hardmax answers 0 there, and any weight that
 * the threshold leaves shows, however small. Logits are multiples of 1/8, which binary32 adds exactly.
 */
public final class Hardmax implements ComputedClaim {

    static final long SEED = 3_200;

    private static final int MAX_LENGTH = 400;

    private static final float GRID = 8;

    /** The length from which on p bits and a margin are claimed to make hardmax. Tests put others here. */
    @FunctionalInterface
    interface LengthRule {
        long length(int bits, double margin);
    }

    /**
     * One row of logits.
     *
     * @param bits p
     * @param levels the maximum logit and others, at least one
     * @param biases phi of the last distances
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Instance(int bits, float[] levels, float[] biases) {

        /** gamma. */
        double margin() {
            double maximum = levels[0];
            return Arrays.stream(toDouble())
                    .map(level -> maximum - level)
                    .filter(gap -> gap > 0)
                    .min()
                    .orElseThrow();
        }

        private double[] toDouble() {
            double[] result = new double[levels.length];
            Arrays.setAll(result, i -> levels[i]);
            return result;
        }

        /** The levels in turn, so that every one is there if the length allows it, the first two in any case. */
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

    @Override
    public Statement statement() {
        return new Statement(
                "length.hardmax",
                new Source(Paper.LENGTH, "section 3.2"),
                Form.AS_STATED,
                "Softmax over logits times ln N, of which what is at most 2^-p of the maximum is 0, is exactly hardmax"
                    + " from N = 2^(p / gamma) on, gamma the minimum distance of another logit to the maximum; and not"
                    + " at N - 1.");
    }

    @Override
    public String range(Budget budget) {
        return count(budget) + " random rows of 2 to 6 logits and up to 3 score biases, multiples of 1/" + (int) GRID
                + ", p = 1 to 24, N from 3 to " + MAX_LENGTH
                + "; at N - 1, N, N + 1 and 2 N, on the scalar kernel and on the vector kernel, bit by bit";
    }

    private static int count(Budget budget) {
        return switch (budget) {
            case QUICK -> 300;
            case STANDARD -> 10_000;
            case FULL -> 30_000;
        };
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(SEED);
        List<Instance> instances = new ArrayList<>();
        while (instances.size() < count(budget)) {
            Instance instance = draw(random);
            double exponent = instance.bits() / instance.margin();
            if (exponent > 1 && exponent <= Math.log(MAX_LENGTH) / Math.log(2)) {
                instances.add(instance);
            }
        }
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
        return new Instance(random.nextInt(1, 25), levels, biases);
    }

    static Finding check(List<Instance> instances, LengthRule rule, RandomGenerator random) {
        Map<String, Attention> kernels = Map.of(
                "scalar", Kernels.scalar().attention(), "vector", Kernels.best().attention());
        List<String> counterexamples = new ArrayList<>();
        int different = 0;
        int alike = 0;
        long rows = 0;
        for (Instance instance : instances) {
            int minimum = Math.toIntExact(rule.length(instance.bits(), instance.margin()));
            for (int length : new int[] {minimum - 1, minimum, minimum + 1, 2 * minimum}) {
                // The maximum logit, one of the minimum distance to it, and what fills the sequence.
                Instance ordered = nearestSecond(instance);
                LastRow row = ordered.row(length, random);
                for (var kernel : kernels.entrySet()) {
                    float[] thresholded = row.thresholded(kernel.getValue());
                    float[] hard = row.hard(kernel.getValue());
                    boolean same = Arrays.equals(thresholded, hard);
                    rows++;
                    if (same != length >= minimum) {
                        different += same ? 0 : 1;
                        alike += same ? 1 : 0;
                        counterexamples.add(instance + ", length " + length + ", claimed from " + minimum + " on: "
                                + kernel.getKey() + " kernel gives " + Arrays.toString(thresholded) + ", hardmax "
                                + Arrays.toString(hard));
                    }
                }
            }
        }
        List<Measurement> measured = List.of(
                Measurement.exactAtMost(
                        "rows of at least N positions that differ from hardmax", different, "rows", rows / 4 * 3, 0),
                Measurement.exactAtMost("rows of N - 1 positions that do not", alike, "rows", rows / 4, 0));
        return new Finding(
                Verdict.of(counterexamples, "every row is hardmax's from N on, bit by bit, and is not at N - 1"),
                measured,
                List.of(SEED));
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
}
