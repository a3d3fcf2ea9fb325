package org.lemmata.kernel.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.ReferenceValues.cases;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.thread.Workers;

/** Weights that every attention in binary32 must give to special scores, ties, and scores near a threshold. */
abstract class AttentionWeightsContract {

    protected abstract Attention attention(Workers workers);

    protected final Attention attention() {
        return attention(Workers.caller());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNIFORM")
    void aScoreOfNaNGivesOutputsOfNaNInItsRowAndHeadOnly(Weighting weighting) {
        AttentionCase inputs = AttentionCase.normal(AttentionCase.shape(weighting, 2, 18), 3, 40);
        float[] before = inputs.run(attention());
        for (int key = 0; key < 40; key++) {
            AttentionCase changed = inputs.copy();
            changed.keys()[changed.at(key, 1, key % 18)] = Float.NaN;
            float[] after = changed.run(attention());
            for (int row = 0; row < 40; row++) {
                for (int d = 0; d < 18; d++) {
                    assertThat(after[inputs.at(row, 0, d)]).isEqualTo(before[inputs.at(row, 0, d)]);
                    float expected = row < key ? before[inputs.at(row, 1, d)] : Float.NaN;
                    assertThat(Float.compare(after[inputs.at(row, 1, d)], expected))
                            .as("key %d, row %d, column %d", key, row, d)
                            .isZero();
                }
            }
        }
    }

    /** The outputs of one head of width 1 with queries 1: keys are the scores, values are 1, 2, 4, ... */
    private float[] averages(Weighting weighting, float... scores) {
        AttentionCase inputs = new AttentionCase(
                AttentionCase.shape(weighting, 1, 1),
                new int[] {scores.length},
                new float[scores.length],
                scores,
                new float[scores.length]);
        Arrays.fill(inputs.queries(), 1);
        for (int i = 0; i < scores.length; i++) {
            inputs.values()[i] = 1 << i;
        }
        return inputs.run(attention());
    }

    @ParameterizedTest
    @EnumSource(names = {"SOFTMAX", "THRESHOLDED"})
    void aScoreOfMinusInfinityHasWeightZero(Weighting weighting) {
        float inf = Float.POSITIVE_INFINITY;
        float nan = Float.NaN;
        assertThat(averages(weighting, 0, -inf, 0, -inf, 0)).containsExactly(1, 1, 2.5f, 2.5f, 7);
        assertThat(averages(weighting, -inf, -inf, 0, 0)).containsExactly(nan, nan, 4, 6);
        assertThat(averages(weighting, 0, inf, 0)).containsExactly(1, nan, nan);
        assertThat(averages(weighting, 0, nan, -inf)).containsExactly(1, nan, nan);
    }

    /** With a bias of -infinity for all distances except 0 and 1, only the last two values remain. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNIFORM")
    void aBiasOfMinusInfinityHidesADistance(Weighting weighting) {
        AttentionShape shape =
                AttentionCase.shape(weighting, 2, 5).withScoreScale(0).withScoreBias(70);
        AttentionCase inputs = AttentionCase.integers(shape, 79, 70);
        Arrays.fill(inputs.inputs().scoreBiases(), Float.NEGATIVE_INFINITY);
        for (int at : new int[] {0, 1, 70, 71}) {
            inputs.inputs().scoreBiases()[at] = 0;
        }
        float[] outputs = inputs.run(attention());
        for (int at = 10; at < outputs.length; at++) {
            assertThat(outputs[at]).isEqualTo((inputs.values()[at] + inputs.values()[at - 10]) / 2);
        }
        assertThat(Arrays.copyOf(outputs, 10)).isEqualTo(Arrays.copyOf(inputs.values(), 10));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNIFORM")
    void aBiasOfNaNGivesNaNWhereItsDistanceIsSeen(Weighting weighting) {
        AttentionCase inputs =
                AttentionCase.normal(AttentionCase.shape(weighting, 2, 5).withScoreBias(30), 83, 40);
        float[] before = inputs.run(attention());
        inputs.inputs().scoreBiases()[30 + 20] = Float.NaN;
        float[] after = inputs.run(attention());
        for (int row = 0; row < 40; row++) {
            for (int d = 0; d < 5; d++) {
                assertThat(after[inputs.at(row, 0, d)]).isEqualTo(before[inputs.at(row, 0, d)]);
                float expected = row < 20 ? before[inputs.at(row, 1, d)] : Float.NaN;
                assertThat(Float.compare(after[inputs.at(row, 1, d)], expected))
                        .as("row %d, column %d", row, d)
                        .isZero();
            }
        }
    }

    /** q k + a x x is the inner product of (q, a x) and (k, x), and z the part of the outputs that (v, x) adds. */
    @ParameterizedTest
    @EnumSource(names = {"SOFTMAX", "THRESHOLDED"})
    void identityTermsAreWiderHeads(Weighting weighting) {
        AttentionShape shape = AttentionCase.shape(weighting, 1, 6).withIdentities(10);
        AttentionCase inputs = AttentionCase.normal(shape, 89, 50, 3);
        AttentionOutputs outputs = inputs.forward(attention());
        AttentionShape wide = AttentionCase.shape(weighting, 1, 16).withScoreScale(shape.scoreScale());
        float[] wideOutputs = new AttentionCase(
                        wide,
                        inputs.lengths(),
                        beside(inputs.queries(), inputs, inputs.inputs().keyQueryIdentities()[0]),
                        beside(inputs.keys(), inputs, 1),
                        beside(inputs.values(), inputs, inputs.inputs().valueOutputIdentities()[0]))
                .run(attention());
        for (int row = 0; row < 53; row++) {
            for (int d = 0; d < 16; d++) {
                float expected = d < 6 ? outputs.outputs()[row * 6 + d] : outputs.identityOutputs()[row * 10 + d - 6];
                assertThat(wideOutputs[row * 16 + d]).isCloseTo(expected, within(5e-6f));
            }
        }
    }

    /** Rows of 6 columns, then the tokens of 10 times a factor. */
    private static float[] beside(float[] data, AttentionCase inputs, float factor) {
        int rows = data.length / 6;
        float[] wide = new float[rows * 16];
        for (int row = 0; row < rows; row++) {
            System.arraycopy(data, row * 6, wide, row * 16, 6);
            for (int d = 0; d < 10; d++) {
                wide[row * 16 + 6 + d] = factor * inputs.inputs().tokens()[row * 10 + d];
            }
        }
        return wide;
    }

    /** Reference weights of logits among N positions; the other positions have no weight. */
    @Test
    void thresholdedWeightsAreThoseOfTheReferenceValues() {
        cases("length-thresholded-softmax", 6).forEach(reference -> {
            checkThresholded(reference, true);
            checkThresholded(reference, false);
        });
    }

    private void checkThresholded(JsonNode reference, boolean causal) {
        int length = reference.get("N").intValue();
        int logits = reference.get("logits").size();
        AttentionShape shape = AttentionShape.softmax(1, 5)
                .withScoreScale(1)
                .withLogLength(LogLength.SEEN)
                .withThreshold(reference.get("p").intValue());
        int size = length * 5;
        AttentionCase inputs = new AttentionCase(
                causal ? shape : shape.withoutMask(),
                new int[] {length},
                new float[size],
                new float[size],
                new float[size]);
        // The case N = 2 has three logits; the last has weight 0 and is omitted.
        for (int j = 0; j < length; j++) {
            inputs.queries()[j * 5] = 1;
            inputs.keys()[j * 5] = j < logits ? reference.get("logits").get(j).floatValue() : -1e6f;
            if (j < logits) {
                inputs.values()[j * 5 + j] = 1;
            }
        }
        float[] outputs = inputs.run(attention());
        for (int j = 0; j < Math.min(logits, length); j++) {
            double expected = reference.get("weights").get(j).doubleValue();
            float actual = outputs[(length - 1) * 5 + j];
            assertThat((double) actual).as("%s, weight %d", reference, j).isCloseTo(expected, within(4e-7 * expected));
        }
    }

    /**
     * Izzo, Nichani and Lee (2025), section 3.2: with gap the minimum distance to the maximum score, thresholded
     * weights are those of hardmax from N = 2^(p / gap) on; at N - 1 they are not. Sequences of N positions show both,
     * in their last two rows.
     */
    @Test
    void thresholdedAttentionIsHardmaxFromTheLengthThatTheGapSays() {
        Random random = new Random(97);
        int[] lengths = new int[2500];
        double[][] gaps = new double[lengths.length][];
        for (int p : new int[] {2, 5, 8, 12}) {
            for (int i = 0; i < lengths.length; i++) {
                lengths[i] = 4 + random.nextInt(29);
                gaps[i] = gapsAtTheLimit(p, lengths[i], random);
            }
            AttentionShape shape = AttentionShape.softmax(1, 1)
                    .withScoreScale(1)
                    .withLogLength(LogLength.SEEN)
                    .withThreshold(p);
            RaggedOffsets sequences = RaggedOffsets.ofLengths(lengths);
            int total = sequences.total();
            AttentionCase inputs =
                    new AttentionCase(shape, lengths, new float[total], new float[total], new float[total]);
            Arrays.fill(inputs.queries(), 1);
            for (int i = 0; i < lengths.length; i++) {
                double maximum = (random.nextInt(17) - 8) / 4.0;
                for (int j = 0; j < lengths[i]; j++) {
                    int at = sequences.start(i) + j;
                    inputs.keys()[at] = (float) (maximum - gaps[i][j]);
                    inputs.values()[at] = gaps[i][j] == 0 ? random.nextInt(7) - 3 : 1 << 16;
                }
            }
            float[] thresholded = inputs.run(attention());
            float[] hardmax = inputs.withShape(new AttentionShape(Weighting.HARDMAX, 1, 1, 1))
                    .run(attention());
            for (int i = 0; i < lengths.length; i++) {
                int last = sequences.end(i) - 1;
                assertThat(thresholded[last])
                        .as("p = %d, N = %d", p, lengths[i])
                        .isEqualTo(hardmax[last]);
                assertThat(thresholded[last - 1])
                        .as("p = %d, N - 1 = %d", p, lengths[i] - 1)
                        .isGreaterThan(hardmax[last - 1]);
            }
        }
    }

    /** Ties have equal weights, whether the maximum score is in a later, the same or an earlier block of keys. */
    @Test
    void thresholdedAttentionHasTheBitsOfHardmaxWhereOnlyTiesAreLeft() {
        Random random = new Random(109);
        for (AttentionShape.Mask mask : AttentionShape.Mask.values()) {
            for (int headWidth : new int[] {1, 5, 16, 40}) {
                AttentionShape plain =
                        new AttentionShape(Weighting.HARDMAX, 1, headWidth, 0.1f).withLogLength(LogLength.SEEN);
                AttentionShape shape = mask == AttentionShape.Mask.NONE ? plain.withoutMask() : plain;
                AttentionCase hardmax = AttentionCase.normal(shape, 113, 300, 1, 2, 99);
                int rows = hardmax.queries().length / headWidth;
                Arrays.fill(hardmax.queries(), 0.7f);
                // Scores -60 m, of m = 0, 1, 2: log2 2 times 60 * 0.07 is above p = 4, and the first row has one score.
                for (int row = 0; row < rows; row++) {
                    Arrays.fill(hardmax.keys(), row * headWidth, (row + 1) * headWidth, 0);
                    hardmax.keys()[row * headWidth] = -60 * random.nextInt(3);
                }
                AttentionCase thresholded = hardmax.withShape(shape.withThreshold(4));
                assertThat(thresholded.run(attention())).isEqualTo(hardmax.run(attention()));
                assertThat(thresholded.backward(attention()).values())
                        .isEqualTo(hardmax.backward(attention()).values());
            }
        }
    }

    /** Multiples of 2^-10: 0 and the smallest g with log2(n) g >= p, but not log2(n - 1) g, come before the end. */
    private static double[] gapsAtTheLimit(int p, int n, Random random) {
        double gap = Math.ceil(p * Math.log(2) / Math.log(n) * 1024 - 1e-9) / 1024;
        assertThat(gap * Math.log(n - 1)).isLessThan(p * Math.log(2));
        double[] gaps = new double[n];
        for (int j = 0; j < n; j++) {
            int kind = random.nextInt(3);
            gaps[j] = kind == 0 ? 0 : kind == 1 ? gap : gap + random.nextInt(4096) / 1024.0;
        }
        int place = random.nextInt(n - 1);
        gaps[place] = 0;
        gaps[(place + 1 + random.nextInt(n - 2)) % (n - 1)] = gap;
        return gaps;
    }

    @Test
    void hardmaxAveragesTheLargestScoresWhateverTheyAre() {
        float inf = Float.POSITIVE_INFINITY;
        float nan = Float.NaN;
        assertThat(averages(Weighting.HARDMAX, 3, 1, 3, 5, 5)).containsExactly(1, 1, 2.5f, 8, 12);
        assertThat(averages(Weighting.HARDMAX, -0f, 0, -1)).containsExactly(1, 1.5f, 1.5f);
        assertThat(averages(Weighting.HARDMAX, -inf, -inf, 2, -inf, inf, inf)).containsExactly(1, 1.5f, 4, 4, 16, 24);
        assertThat(averages(Weighting.HARDMAX, -inf, nan, 2)).containsExactly(1, nan, nan);
        assertThat(averages(Weighting.HARDMAX, nan, inf, -inf)).containsExactly(nan, nan, nan);
    }

    @Test
    void hardmaxOfEqualScoresIsTheMean() {
        AttentionShape shape = new AttentionShape(Weighting.HARDMAX, 1, 5, 0);
        AttentionCase ties = AttentionCase.integers(shape, 17, 64);
        AttentionShape uniform = new AttentionShape(Weighting.UNIFORM, 1, 5, 1);
        float[] mean =
                new AttentionCase(uniform, ties.lengths(), ties.queries(), ties.keys(), ties.values()).run(attention());
        assertThat(ties.run(attention())).isEqualTo(mean);
    }

    @ParameterizedTest
    @ValueSource(floats = {1e4f, -1e4f})
    void scoresOfGreatMagnitudeDoNotOverflow(float scale) {
        AttentionShape shape = AttentionShape.softmax(1, 1).withScoreScale(scale);
        AttentionCase inputs = AttentionCase.integers(shape, 23, 50);
        float[] outputs = inputs.run(attention());
        for (float output : outputs) {
            assertThat(output).isBetween(-3f, 3f);
        }
        inputs.checkForward(attention());
    }

    /** 1e-22 squared and 1e-40 are subnormal; 2^60 squared is near the largest number, and 2^60 an exact factor. */
    @ParameterizedTest
    @CsvSource({"1e-22, 1", "1e-40, 1", "1, 1e-40", "1, 1e-45", "1, 1e34", "1.152921504606847e18, 1"})
    void subnormalAndHugeNumbersStayWithinTheErrorBound(float keyMagnitude, float valueMagnitude) {
        for (Weighting weighting : Weighting.values()) {
            AttentionShape shape =
                    AttentionCase.shape(weighting, 2, 3).withScoreScale(keyMagnitude > 1 ? 0x1p-120f : 1);
            AttentionCase inputs = AttentionCase.integers(shape, 29, 37);
            for (int i = 0; i < inputs.values().length; i++) {
                inputs.queries()[i] *= keyMagnitude;
                inputs.keys()[i] *= keyMagnitude;
                inputs.values()[i] *= valueMagnitude;
            }
            if (weighting == Weighting.HARDMAX && keyMagnitude < 1) {
                // Products that underflow are tied, although exact ones are not.
                continue;
            }
            inputs.checkForward(attention());
        }
    }

    @Test
    void uniformAverageOfIntegersIsRoundedOnce() {
        AttentionShape shape = new AttentionShape(Weighting.UNIFORM, 2, 21, 1);
        AttentionCase inputs = AttentionCase.integers(shape, 31, 1500);
        float[] outputs = inputs.run(attention());
        for (int column = 0; column < 42; column++) {
            long sum = 0;
            for (int row = 0; row < 1500; row++) {
                sum += (long) inputs.values()[row * 42 + column];
                assertThat(outputs[row * 42 + column]).as("row %d", row).isEqualTo((float) ((double) sum / (row + 1)));
            }
        }
    }

    @Test
    void aRunAfterALongerOneWithNaNsHasTheSameBits() {
        for (Weighting weighting : Weighting.values()) {
            AttentionCase small = AttentionCase.normal(AttentionCase.shape(weighting, 1, 9), 37, 13);
            float[] before = small.run(attention());
            AttentionCase large = AttentionCase.normal(AttentionCase.shape(weighting, 1, 40), 41, 90);
            Arrays.fill(large.queries(), Float.NaN);
            Arrays.fill(large.values(), Float.NaN);
            large.run(attention());
            assertThat(small.run(attention())).isEqualTo(before);
        }
    }

    @Test
    void uniformAttentionDoesNotLookAtQueriesAndKeys() {
        float[] outputs = new float[2];
        attention()
                .forward(
                        AttentionOutputs.of(outputs),
                        AttentionInputs.of(new float[0], new float[0], new float[] {1, 2}),
                        RaggedOffsets.ofLengths(2),
                        new AttentionShape(Weighting.UNIFORM, 1, 1, 1));
        assertThat(outputs).containsExactly(1, 1.5f);
    }
}
