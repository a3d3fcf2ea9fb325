package org.lemmata.kernel.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.oracle.ExactAttention;

/** What every attention in binary32 does. */
abstract class AttentionContract {

    private static final int[] RAGGED = {5, 0, 1, 17, 0, 33, 2, 0};

    abstract Attention attention();

    /** Up to twice the lanes of 512 bits and the tiles around them, primes, and powers of two with their neighbours. */
    private static IntStream lengths() {
        return IntStream.concat(IntStream.rangeClosed(0, 70), IntStream.of(97, 127, 128, 129, 191, 251, 256, 257, 521));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "THRESHOLDED")
    void everyLengthIsWithinTheErrorBound(Weighting weighting) {
        lengths().forEach(length -> checkAgainstOracle(normalOrExact(weighting, 2, 7, 1 + length, length)));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "THRESHOLDED")
    void everyHeadWidthAndNumberOfHeadsIsWithinTheErrorBound(Weighting weighting) {
        for (int headWidth : new int[] {1, 2, 3, 7, 8, 15, 16, 17, 30, 31, 32, 33, 64, 65, 128, 256}) {
            for (int heads = 1; heads <= 4; heads++) {
                checkAgainstOracle(normalOrExact(weighting, heads, headWidth, 1000 + headWidth, RAGGED));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "THRESHOLDED")
    void freshRandomInputsAreWithinTheErrorBound(Weighting weighting) {
        long seed = System.nanoTime();
        System.out.println(getClass().getSimpleName() + " " + weighting + ": fresh seed " + seed);
        int headWidth = 1 + Math.floorMod(seed, 70);
        int length = Math.floorMod(seed / 70, 150);
        checkAgainstOracle(normalOrExact(weighting, 3, headWidth, seed, length, 3, length / 2));
    }

    /** Hardmax gets integers: where scores are rounded, which of two close ones is the greatest is anybody's choice. */
    private static AttentionCase normalOrExact(
            Weighting weighting, int heads, int headWidth, long seed, int... lengths) {
        return weighting == Weighting.HARDMAX
                ? AttentionCase.integers(new AttentionShape(weighting, heads, headWidth, 0.25f), seed, lengths)
                : AttentionCase.normal(AttentionCase.shape(weighting, heads, headWidth), seed, lengths);
    }

    private void checkAgainstOracle(AttentionCase inputs) {
        checkAgainstOracle(inputs, inputs.run(attention()));
    }

    private static void checkAgainstOracle(AttentionCase inputs, float[] outputs) {
        ExactAttention.Result exact = inputs.exact();
        for (int i = 0; i < outputs.length; i++) {
            double expected = exact.outputs()[i];
            boolean good = Double.isNaN(expected)
                    ? Float.isNaN(outputs[i])
                    : outputs[i] == expected || Math.abs(outputs[i] - expected) <= exact.tolerances()[i];
            if (!good) {
                throw new AssertionError("output " + i + " (row "
                        + i / inputs.shape().width() + "): expected "
                        + expected + " +- " + exact.tolerances()[i] + ", got " + outputs[i] + "; " + inputs.shape()
                        + ", lengths " + Arrays.toString(inputs.lengths()));
            }
        }
    }

    /** The bound grows with the length as no typical error does: 2e-6 of values around 1 is what binary32 reaches. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "THRESHOLDED")
    void typicalErrorIsSmall(Weighting weighting) {
        AttentionCase inputs = normalOrExact(weighting, 2, 64, 7, 300, 41);
        float[] outputs = inputs.run(attention());
        double[] exact = inputs.exact().outputs();
        double maxError = IntStream.range(0, outputs.length)
                .mapToDouble(i -> Math.abs(outputs[i] - exact[i]))
                .max()
                .orElseThrow();
        assertThat(maxError).isLessThan(2e-6);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "THRESHOLDED")
    void sequencesAndHeadsDoNotTouchEachOther(Weighting weighting) {
        AttentionCase all = AttentionCase.normal(AttentionCase.shape(weighting, 3, 21), 5, RAGGED);
        float[] outputs = all.run(attention());
        RaggedOffsets sequences = RaggedOffsets.ofLengths(RAGGED);
        AttentionShape oneHead = AttentionCase.shape(weighting, 1, 21);
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            for (int head = 0; head < 3; head++) {
                int first = sequences.start(sequence);
                int length = sequences.length(sequence);
                float[] expected = new AttentionCase(
                                oneHead,
                                new int[] {length},
                                block(all, all.queries(), first, length, head),
                                block(all, all.keys(), first, length, head),
                                block(all, all.values(), first, length, head))
                        .run(attention());
                assertThat(block(all, outputs, first, length, head))
                        .as("sequence %d, head %d", sequence, head)
                        .isEqualTo(expected);
            }
        }
    }

    /** The columns of one head in some rows. */
    private static float[] block(AttentionCase inputs, float[] data, int first, int length, int head) {
        int headWidth = inputs.shape().headWidth();
        float[] block = new float[length * headWidth];
        for (int i = 0; i < length; i++) {
            System.arraycopy(data, inputs.at(first + i, head, 0), block, i * headWidth, headWidth);
        }
        return block;
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "THRESHOLDED")
    void changingATokenLeavesEarlierOutputsAsTheyWere(Weighting weighting) {
        AttentionCase inputs = AttentionCase.normal(AttentionCase.shape(weighting, 2, 19), 11, 4, 47, 3);
        float[] before = inputs.run(attention());
        int width = inputs.shape().width();
        for (float change : new float[] {100, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
            for (int row = 4; row < 51; row++) {
                AttentionCase changed = inputs.copy();
                Arrays.fill(changed.queries(), row * width, (row + 1) * width, change);
                Arrays.fill(changed.keys(), row * width, (row + 1) * width, change);
                Arrays.fill(changed.values(), row * width, (row + 1) * width, change);
                float[] after = changed.run(attention());
                assertThat(Arrays.copyOf(after, row * width))
                        .as("outputs before row %d, set to %s", row, change)
                        .isEqualTo(Arrays.copyOf(before, row * width));
                assertThat(Arrays.copyOfRange(after, 51 * width, 54 * width))
                        .as("outputs of the next sequence, row %d set to %s", row, change)
                        .isEqualTo(Arrays.copyOfRange(before, 51 * width, 54 * width));
                assertThat(Arrays.copyOfRange(after, row * width, 51 * width))
                        .as("outputs from row %d on, set to %s", row, change)
                        .isNotEqualTo(Arrays.copyOfRange(before, row * width, 51 * width));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SOFTMAX", "HARDMAX"})
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

    /** One head of width 1 and queries of 1: the keys are the scores, values 1, 2, 4, ... . */
    private float[] averages(Weighting weighting, float... scores) {
        AttentionCase inputs = new AttentionCase(
                new AttentionShape(weighting, 1, 1, 1),
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

    @Test
    void aSoftmaxScoreOfMinusInfinityHasWeightZero() {
        float inf = Float.POSITIVE_INFINITY;
        float nan = Float.NaN;
        assertThat(averages(Weighting.SOFTMAX, 0, -inf, 0, -inf, 0)).containsExactly(1, 1, 2.5f, 2.5f, 7);
        assertThat(averages(Weighting.SOFTMAX, -inf, -inf, 0, 0)).containsExactly(nan, nan, 4, 6);
        assertThat(averages(Weighting.SOFTMAX, 0, inf, 0)).containsExactly(1, nan, nan);
        assertThat(averages(Weighting.SOFTMAX, 0, nan, -inf)).containsExactly(1, nan, nan);
    }

    @Test
    void hardmaxAveragesTheGreatestScoresWhateverTheyAre() {
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
        AttentionShape shape = new AttentionShape(Weighting.SOFTMAX, 1, 1, scale);
        AttentionCase inputs = AttentionCase.integers(shape, 23, 50);
        float[] outputs = inputs.run(attention());
        for (float output : outputs) {
            assertThat(output).isBetween(-3f, 3f);
        }
        checkAgainstOracle(inputs, outputs);
    }

    /** 1e-22 squared is subnormal, 1e-40 itself is; 2^60 squared is near the greatest number, and an exact factor. */
    @ParameterizedTest
    @CsvSource({"1e-22, 1", "1e-40, 1", "1, 1e-40", "1, 1e-45", "1, 1e34", "1.152921504606847e18, 1"})
    void subnormalAndHugeNumbersStayWithinTheErrorBound(float keyMagnitude, float valueMagnitude) {
        for (Weighting weighting : List.of(Weighting.SOFTMAX, Weighting.UNIFORM, Weighting.HARDMAX)) {
            AttentionShape shape = new AttentionShape(weighting, 2, 3, keyMagnitude > 1 ? 0x1p-120f : 1);
            AttentionCase inputs = AttentionCase.integers(shape, 29, 37);
            for (int i = 0; i < inputs.values().length; i++) {
                inputs.queries()[i] *= keyMagnitude;
                inputs.keys()[i] *= keyMagnitude;
                inputs.values()[i] *= valueMagnitude;
            }
            if (weighting == Weighting.HARDMAX && keyMagnitude < 1) {
                // Products that underflow tie where exact ones do not.
                continue;
            }
            checkAgainstOracle(inputs);
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
        for (Weighting weighting : List.of(Weighting.SOFTMAX, Weighting.UNIFORM, Weighting.HARDMAX)) {
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

    @Test
    void arraysThatAreTooShortAreRefused() {
        AttentionShape shape = new AttentionShape(Weighting.SOFTMAX, 2, 3, 1);
        for (String name : new String[] {"outputs", "queries", "keys", "values"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> attention()
                            .forward(
                                    AttentionOutputs.of(new float[name.equals("outputs") ? 29 : 30]),
                                    AttentionInputs.of(
                                            new float[name.equals("queries") ? 29 : 30],
                                            new float[name.equals("keys") ? 29 : 30],
                                            new float[name.equals("values") ? 29 : 30]),
                                    RaggedOffsets.ofLengths(2, 3),
                                    shape))
                    .withMessage(name + ": expected at least 30 elements, got 29");
        }
    }
}
