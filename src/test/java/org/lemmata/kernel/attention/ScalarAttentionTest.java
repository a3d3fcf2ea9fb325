package org.lemmata.kernel.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.oracle.ExactAttention;

/** Tests of the scalar attention, which those of every attention in binary32 inherit. */
public class ScalarAttentionTest extends AttentionWeightsContract {

    @Override
    protected Attention attention(Workers workers) {
        return new ScalarAttention();
    }

    private static final int[] RAGGED = {5, 0, 1, 17, 0, 33, 2, 0};

    /** Up to twice the lanes of 512 bits and the tiles around them, primes, and powers of two with their neighbours. */
    private static IntStream lengths() {
        return IntStream.concat(IntStream.rangeClosed(0, 70), IntStream.of(97, 127, 128, 129, 257));
    }

    @ParameterizedTest
    @EnumSource
    void everyLengthIsWithinTheErrorBound(Weighting weighting) {
        lengths().forEach(length -> check(AttentionCase.shape(weighting, 2, 7), 1 + length, length));
    }

    @ParameterizedTest
    @EnumSource
    void everyHeadWidthAndNumberOfHeadsIsWithinTheErrorBound(Weighting weighting) {
        for (int headWidth : AttentionCase.HEAD_WIDTHS) {
            for (int heads = 1; heads <= 4; heads += headWidth > 8 ? 3 : 1) {
                check(AttentionCase.shape(weighting, heads, headWidth), 1000 + headWidth, RAGGED);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void freshRandomInputsAreWithinTheErrorBound(Weighting weighting) {
        long seed = System.nanoTime();
        System.out.println(getClass().getSimpleName() + " " + weighting + ": fresh seed " + seed);
        int headWidth = 1 + Math.floorMod(seed, 70);
        int length = Math.floorMod(seed / 70, 150);
        check(AttentionCase.shape(weighting, 3, headWidth), seed, length, 3, length / 2);
    }

    /** Checks outputs and gradients. */
    private void check(AttentionShape shape, long seed, int... lengths) {
        AttentionCase inputs = AttentionCase.normalOrExact(shape, seed, lengths);
        inputs.checkForward(attention());
        inputs.checkBackward(attention());
    }

    static Stream<AttentionShape> singleOptions() {
        return AttentionCase.shapes(plain -> List.of(
                plain.withoutMask(),
                plain.withIdentities(1),
                plain.withIdentities(24),
                plain.withLogLength(LogLength.SEEN),
                plain.withLogLength(LogLength.SEQUENCE),
                plain.withScoreBias(1),
                plain.withScoreBias(9),
                plain.withoutMask().withScoreBias(100)));
    }

    @ParameterizedTest
    @MethodSource("singleOptions")
    void everyOptionAloneIsWithinTheErrorBound(AttentionShape shape) {
        check(shape, 61, RAGGED);
    }

    @Test
    void combinationsOfOptionsAreWithinTheErrorBound() {
        AttentionCase.forSeeds(seed -> {
            Random random = new Random(seed);
            AttentionShape shape = AttentionCase.draw(random, List.of(Mask.values()), 40, List.of(LogLength.values()));
            int[] lengths = random.ints(random.nextInt(7), 0, 30)
                    .map(length -> length < 10 ? length / 5 : length)
                    .toArray();
            check(shape, seed, lengths);
        });
    }

    /** The proved bound grows with the length, typical errors do not. */
    @ParameterizedTest
    @MethodSource("typicalShapes")
    void typicalErrorIsSmall(AttentionShape shape) {
        AttentionCase inputs = AttentionCase.normalOrExact(shape, 7, 200, 41);
        AttentionOutputs actual = inputs.forward(attention());
        ExactAttention.Outputs exact = inputs.exact().exact();
        assertThat(relativeError(actual.outputs(), exact.outputs(), 0)).isLessThan(2e-6);
        assertThat(relativeError(actual.identityOutputs(), exact.identityOutputs(), 0))
                .isLessThan(2e-6);
        List<float[]> gradients = AttentionCase.arrays(inputs.backward(attention()));
        List<double[]> exactGradients = inputs.exactGradients().exact().arrays();
        for (int i = 0; i < gradients.size(); i++) {
            float before = i < 3 ? 0 : AttentionCase.ADDED_TO;
            // Parameters have few gradients, each a sum over all rows, and all may be small compared with their terms.
            assertThat(relativeError(gradients.get(i), exactGradients.get(i), before))
                    .as("gradients of %s", AttentionCase.GRADIENTS.get(i))
                    .isLessThan(i < 4 ? 5e-6 : 5e-5);
        }
    }

    static Stream<AttentionShape> typicalShapes() {
        return Arrays.stream(Weighting.values())
                .map(weighting -> AttentionCase.shape(weighting, 2, 64))
                .flatMap(plain -> Stream.of(
                        plain,
                        plain.withIdentities(20).withScoreBias(30).withLogLength(LogLength.SEEN),
                        plain.withoutMask().withIdentities(20)));
    }

    /** The maximum error over the largest number. */
    protected static double relativeError(float[] actual, double[] exact, float before) {
        double error = 0;
        double maximum = before;
        for (int i = 0; i < actual.length; i++) {
            error = Math.max(error, Math.abs(actual[i] - before - exact[i]));
            maximum = Math.max(maximum, Math.abs(exact[i]));
        }
        return error == 0 ? 0 : error / maximum;
    }

    static Stream<AttentionShape> manyShapes() {
        return Stream.of(
                AttentionShape.softmax(2, 16),
                AttentionShape.softmax(3, 30).withIdentities(5).withScoreBias(7).withLogLength(LogLength.SEEN),
                AttentionShape.softmax(1, 64).withoutMask().withThreshold(4),
                AttentionCase.shape(Weighting.UNIFORM, 2, 9).withIdentities(3),
                AttentionCase.shape(Weighting.HARDMAX, 2, 9));
    }

    @ParameterizedTest
    @MethodSource("manyShapes")
    void everyNumberOfThreadsHasTheSameBits(AttentionShape shape) {
        AttentionCase inputs = AttentionCase.normal(shape, 71, 130, 0, 1, 260, 64, 64, 64);
        Threads.assertSameBits(workers -> inputs.everything(attention(workers)));
    }

    @ParameterizedTest
    @EnumSource
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

    static Stream<AttentionShape> causalShapes() {
        return Arrays.stream(Weighting.values())
                .map(weighting -> AttentionCase.shape(weighting, 2, 19))
                .flatMap(plain -> Stream.of(
                        plain, plain.withIdentities(5).withScoreBias(11).withLogLength(LogLength.SEEN)));
    }

    @ParameterizedTest
    @MethodSource("causalShapes")
    void changingATokenLeavesEarlierOutputsAsTheyWere(AttentionShape shape) {
        AttentionCase inputs = AttentionCase.normal(shape, 11, 4, 47, 3);
        List<float[]> before = AttentionCase.arrays(inputs.forward(attention()));
        for (float change : new float[] {100, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
            for (int row = 4; row < 51; row++) {
                AttentionCase changed = inputs.copy();
                changed.fillRow(row, change);
                List<float[]> after = AttentionCase.arrays(changed.forward(attention()));
                for (int i = 0; i < before.size(); i++) {
                    int width = before.get(i).length / 54;
                    assertThat(Arrays.copyOf(after.get(i), row * width))
                            .as("array %d before row %d, set to %s", i, row, change)
                            .isEqualTo(Arrays.copyOf(before.get(i), row * width));
                    assertSameFrom(
                            51 * width, after.get(i), before.get(i), "array " + i + ", row " + row + ", " + change);
                }
                int width = shape.width();
                assertThat(Arrays.copyOfRange(after.getFirst(), row * width, 51 * width))
                        .as("outputs from row %d on, set to %s", row, change)
                        .isNotEqualTo(Arrays.copyOfRange(before.getFirst(), row * width, 51 * width));
            }
        }
    }

    /** dq of a row depends only on tokens up to it, dk and dv of a row only on queries from it on. */
    @ParameterizedTest
    @MethodSource("causalShapes")
    void gradientsDoNotDependOnWhatTheyDoNotMeet(AttentionShape shape) {
        AttentionCase inputs = AttentionCase.normal(shape, 73, 40);
        AttentionInputs before = inputs.backward(attention());
        int width = shape.width();
        for (int row = 1; row < 40; row += 3) {
            int end = row * width;
            for (float change : new float[] {2, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
                AttentionCase later = inputs.copy();
                later.fillRow(row, change);
                Arrays.fill(later.dOutputs().outputs(), end, end + width, 2);
                if (shape.hasScores()) {
                    assertThat(Arrays.copyOf(later.backward(attention()).queries(), end))
                            .as("dq before row %d, set to %s", row, change)
                            .isEqualTo(Arrays.copyOf(before.queries(), end));
                }
            }
            AttentionCase earlier = inputs.copy();
            Arrays.fill(earlier.queries(), 0, end, 2);
            Arrays.fill(earlier.dOutputs().outputs(), 0, end, 2);
            AttentionInputs after = earlier.backward(attention());
            assertSameFrom(end, after.values(), before.values(), "dv");
            if (shape.hasScores()) {
                assertSameFrom(end, after.keys(), before.keys(), "dk");
            }
        }
    }

    private static void assertSameFrom(int from, float[] actual, float[] expected, String name) {
        assertThat(Arrays.copyOfRange(actual, from, actual.length))
                .as("%s from %d on", name, from)
                .isEqualTo(Arrays.copyOfRange(expected, from, expected.length));
    }

    /** The final scores are 5e-5 and -5e-5, the weights therefore 0.500025 and 0.499975. */
    @Test
    void aSubnormalScaleIsNotRoundedUp() {
        AttentionShape shape = new AttentionShape(Weighting.SOFTMAX, 1, 1, 1e-42f);
        float[] outputs = new AttentionCase(
                        shape, new int[] {2}, new float[] {0, 1e19f}, new float[] {5e18f, -5e18f}, new float[] {1, 0})
                .run(attention());
        assertThat(outputs[1]).isCloseTo(0.500025f, within(1e-6f));
    }

    /** For scores 3, 1, 3, 5, ..., the saved values are those that the backward pass needs. */
    @Test
    void savedValuesAreWhatTheySay() {
        float[] scores = {3, 1, 3, 5, 5, -2};
        for (Weighting weighting : Weighting.values()) {
            AttentionShape shape = AttentionCase.shape(weighting, 1, 1);
            float[] ones = {1, 1, 1, 1, 1, 1};
            AttentionOutputs saved =
                    new AttentionCase(shape, new int[] {scores.length}, ones, scores, ones).forward(attention());
            switch (weighting) {
                case UNIFORM -> assertThat(saved.normalizers()).isEmpty();
                case HARDMAX -> assertThat(saved.normalizers()).containsExactly(1, 1, 2, 1, 2, 2);
                // exp(-2) is at most 2^-2, but not at most 2^-3.
                case THRESHOLDED -> {
                    assertThat(saved.normalizers()[0]).isEqualTo(1);
                    assertThat(saved.normalizers()[1]).isCloseTo(1 + (float) Math.exp(-2), within(1e-6f));
                    assertThat(saved.normalizers()[5]).isCloseTo(2 + 2 * (float) Math.exp(-2), within(1e-6f));
                }
                case SOFTMAX ->
                    assertThat(saved.normalizers()[5])
                            .isCloseTo(
                                    (float) Math.log(2 * Math.exp(5) + 2 * Math.exp(3) + Math.exp(1) + Math.exp(-2)),
                                    within(2e-6f));
            }
            if (weighting == Weighting.HARDMAX || weighting == Weighting.THRESHOLDED) {
                assertThat(saved.maxScores()).containsExactly(3, 3, 3, 5, 5, 5);
            } else {
                assertThat(saved.maxScores()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("manyShapes")
    void savingChangesNoOutput(AttentionShape shape) {
        AttentionCase inputs = AttentionCase.normal(shape, 101, 70, 1, 19);
        assertThat(inputs.run(attention()))
                .isEqualTo(inputs.forward(attention()).outputs());
    }

    @Test
    void arraysThatAreTooShortAreRefused() {
        AttentionShape shape =
                AttentionShape.softmax(2, 3).withThreshold(5).withIdentities(4).withScoreBias(7);
        RaggedOffsets sequences = RaggedOffsets.ofLengths(2, 3);
        List<String> names = Stream.concat(
                        AttentionCase.GRADIENTS.stream(),
                        Stream.of("outputs", "identityOutputs", "normalizers", "maxScores"))
                .toList();
        for (int missing = 0; missing < names.size(); missing++) {
            List<float[]> forward = new ArrayList<>(AttentionCase.arrays(AttentionInputs.zeros(sequences, shape)));
            forward.addAll(AttentionCase.arrays(AttentionOutputs.zeros(sequences, shape)));
            String name = names.get(missing);
            int length = forward.get(missing).length;
            forward.set(missing, new float[length - 1]);
            AttentionInputs inputs = AttentionCase.inputs(forward);
            AttentionOutputs outputs = outputs(forward);
            AttentionInputs dInputs = AttentionInputs.zeros(sequences, shape);
            AttentionOutputs dOutputs = AttentionOutputs.zeros(sequences, shape);
            String message = name + ": expected at least " + length + " elements, got " + (length - 1);
            assertRefused(() -> attention().forward(outputs, inputs, sequences, shape), message);
            assertRefused(() -> attention().backward(dInputs, dOutputs, outputs, inputs, sequences, shape), message);
            if (missing < AttentionCase.GRADIENTS.size()) {
                assertRefused(
                        () -> attention().backward(inputs, dOutputs, dOutputs, dInputs, sequences, shape),
                        "dInputs." + message);
            } else if (missing < 9) {
                assertRefused(
                        () -> attention().backward(dInputs, outputs, dOutputs, inputs, sequences, shape),
                        "dOutputs." + message);
            }
        }
    }

    private static AttentionOutputs outputs(List<float[]> arrays) {
        return new AttentionOutputs(arrays.get(7), arrays.get(8), arrays.get(9), arrays.get(10));
    }

    @Test
    void nothingNeedBeSavedWhereNoBackwardPassFollowsButThatRefuses() {
        AttentionShape shape = AttentionShape.softmax(1, 1);
        AttentionInputs inputs = AttentionInputs.of(new float[2], new float[2], new float[2]);
        AttentionOutputs outputs = AttentionOutputs.of(new float[2]);
        RaggedOffsets sequences = RaggedOffsets.ofLengths(2);
        attention().forward(outputs, inputs, sequences, shape);
        AttentionInputs dInputs = AttentionInputs.zeros(sequences, shape);
        assertRefused(
                () -> attention().backward(dInputs, outputs, outputs, inputs, sequences, shape),
                "normalizers: expected at least 2 elements, got 0");
    }
}
