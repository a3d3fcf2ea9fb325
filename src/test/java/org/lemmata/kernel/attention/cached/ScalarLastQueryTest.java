package org.lemmata.kernel.attention.cached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Threads;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionCase;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.attention.ScalarAttention;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.oracle.ExactAttention;

/** Tests of the scalar attention of last queries, which those of others inherit. */
class ScalarLastQueryTest {

    private static final int[] RAGGED = {5, 1, 17, 33, 2, 1};

    private static final float[] NONE = {};

    CachedAttention kernel(Workers workers) {
        return new ScalarCachedAttention();
    }

    /** The attention of the same kind (scalar or SIMD). */
    Attention attention() {
        return new ScalarAttention();
    }

    private CachedAttention kernel() {
        return kernel(Workers.caller());
    }

    /** The results of a call: outputs, and gradients in the order of {@link AttentionCase#arrays(AttentionInputs)}. */
    @SuppressWarnings("ArrayRecordComponent") // It is not compared or printed.
    private record Written(float[] outputs, List<float[]> gradients) {
        List<float[]> all() {
            return Stream.concat(Stream.of(outputs), gradients.stream()).toList();
        }
    }

    /** Sets output gradients to 0, except in last rows. */
    private static AttentionCase last(AttentionCase inputs) {
        RaggedOffsets sequences = inputs.sequences();
        int width = inputs.shape().width();
        for (int s = 0; s < sequences.count(); s++) {
            Arrays.fill(inputs.dOutputs().outputs(), sequences.start(s) * width, (sequences.end(s) - 1) * width, 0);
        }
        return inputs;
    }

    private static float[] lastRows(float[] all, RaggedOffsets sequences, int width) {
        float[] rows = new float[sequences.count() * width];
        for (int s = 0; s < sequences.count(); s++) {
            System.arraycopy(all, (sequences.end(s) - 1) * width, rows, s * width, width);
        }
        return rows;
    }

    /** All rows: the last rows of sequences, and 0 elsewhere. */
    private static float[] spread(float[] rows, RaggedOffsets sequences, int width) {
        float[] all = new float[sequences.total() * width];
        for (int s = 0; s < sequences.count(); s++) {
            System.arraycopy(rows, s * width, all, (sequences.end(s) - 1) * width, width);
        }
        return all;
    }

    private static float[] unguarded(float[] array, int length) {
        AttentionCase.checkCanaries(array, length);
        return Arrays.copyOf(array, length);
    }

    /** Runs both passes; fails if a pass writes behind an array or changes an input. */
    private static Written run(CachedAttention kernel, AttentionCase inputs) {
        AttentionShape shape = inputs.shape();
        RaggedOffsets sequences = inputs.sequences();
        int width = shape.width();
        int rows = sequences.count() * width;
        boolean scores = shape.hasScores();
        AttentionInputs given = AttentionInputs.of(
                        scores ? lastRows(inputs.queries(), sequences, width) : NONE,
                        scores ? inputs.keys() : NONE,
                        inputs.values())
                .withScoreBiases(inputs.inputs().scoreBiases());
        List<float[]> before =
                AttentionCase.arrays(given).stream().map(float[]::clone).toList();
        float[] outputs = AttentionCase.guarded(rows, Float.NaN);
        kernel.forward(AttentionOutputs.of(outputs), given, sequences, shape);
        float[] kept = outputs.clone();
        int scored = scores ? rows : 0;
        int all = sequences.total() * width;
        int keys = scores ? all : 0;
        int biases = shape.heads() * shape.biasSpan();
        float[] dQueries = AttentionCase.guarded(scored, Float.NaN);
        float[] dKeys = AttentionCase.guarded(keys, Float.NaN);
        float[] dValues = AttentionCase.guarded(all, Float.NaN);
        float[] dBiases = AttentionCase.guarded(biases, AttentionCase.ADDED_TO);
        float[] dOutputs = lastRows(inputs.dOutputs().outputs(), sequences, width);
        kernel.backward(
                AttentionInputs.of(dQueries, dKeys, dValues).withScoreBiases(dBiases),
                AttentionOutputs.of(dOutputs),
                AttentionOutputs.of(outputs),
                given,
                sequences,
                shape);
        assertThat(outputs).isEqualTo(kept);
        for (int i = 0; i < before.size(); i++) {
            assertThat(AttentionCase.arrays(given).get(i)).as("input %d", i).isEqualTo(before.get(i));
        }
        return new Written(
                unguarded(outputs, rows),
                List.of(
                        unguarded(dQueries, scored),
                        unguarded(dKeys, keys),
                        unguarded(dValues, all),
                        NONE,
                        NONE,
                        NONE,
                        unguarded(dBiases, biases)));
    }

    /** Whether the whole attention has the same order of sums. */
    boolean hasTheBitsOfTheWhole(AttentionShape shape) {
        return true;
    }

    /** Checks error bounds, and that outputs have the bits of the whole attention. */
    private void check(AttentionShape shape, long seed, int... lengths) {
        check(last(AttentionCase.normalOrExact(shape, seed, lengths)));
    }

    private void check(AttentionCase inputs) {
        AttentionShape shape = inputs.shape();
        RaggedOffsets sequences = inputs.sequences();
        Written actual = run(kernel(), inputs);
        String what = shape + ", lengths " + Arrays.toString(inputs.lengths());
        AttentionOutputs whole = inputs.forward(attention());
        if (hasTheBitsOfTheWhole(shape)) {
            assertThat(actual.outputs()).as(what).isEqualTo(lastRows(whole.outputs(), sequences, shape.width()));
        } else {
            for (int s = 0; s < sequences.count(); s++) {
                int to = (sequences.end(s) - 1) * shape.width();
                System.arraycopy(actual.outputs(), s * shape.width(), whole.outputs(), to, shape.width());
            }
            inputs.checkOutputs(whole);
        }

        ExactAttention.Bounded<ExactAttention.Inputs> exact = inputs.exactGradients();
        AttentionInputs expected = AttentionInputs.zeros(sequences, shape);
        for (int i : new int[] {0, 1, 2, 6}) {
            float[] gradients = i == 0 && shape.hasScores()
                    ? spread(actual.gradients().get(0), sequences, shape.width())
                    : actual.gradients().get(i);
            assertThat(gradients)
                    .as(what)
                    .hasSize(AttentionCase.arrays(expected).get(i).length);
            inputs.checkGradient(i, gradients, exact);
        }
    }

    /** Lengths up to beyond three blocks. */
    @ParameterizedTest
    @EnumSource
    void everyLengthIsWithinTheErrorBounds(Weighting weighting) {
        for (int length = 1; length <= 70; length++) {
            check(AttentionCase.shape(weighting, 2, 7), length, length);
        }
        check(AttentionCase.shape(weighting, 1, 5), 1, 127, 128, 129, 191, 192, 193, 200);
    }

    @ParameterizedTest
    @EnumSource
    void everyHeadWidthAndNumberOfHeadsIsWithinTheErrorBounds(Weighting weighting) {
        for (int headWidth : AttentionCase.HEAD_WIDTHS) {
            for (int heads = 1; heads <= 4; heads += headWidth > 64 ? 3 : 1) {
                check(AttentionCase.shape(weighting, heads, headWidth), 1000 + headWidth, RAGGED);
            }
        }
    }

    static Stream<AttentionShape> singleOptions() {
        return AttentionCase.shapes(plain -> List.of(
                plain.withoutMask(),
                plain.withLogLength(LogLength.SEEN),
                plain.withLogLength(LogLength.SEQUENCE),
                plain.withScoreBias(1),
                plain.withScoreBias(9),
                plain.withScoreBias(100),
                plain.withScoreScale(0),
                plain.withScoreScale(-0.25f)));
    }

    @ParameterizedTest
    @MethodSource("singleOptions")
    void everyOptionAloneIsWithinTheErrorBounds(AttentionShape shape) {
        check(shape, 61, 5, 1, 113, 2);
    }

    @Test
    void combinationsOfOptionsAreWithinTheErrorBounds() {
        AttentionCase.forSeeds(seed -> {
            Random random = new Random(seed);
            AttentionShape shape = AttentionCase.draw(random, List.of(Mask.values()), 0, List.of(LogLength.values()));
            int[] lengths = random.ints(1 + random.nextInt(5), 1, 60)
                    .map(length -> length < 10 ? length : 2 * length)
                    .toArray();
            check(shape, seed, lengths);
        });
    }

    static Stream<AttentionShape> manyShapes() {
        return Arrays.stream(Weighting.values())
                .map(weighting -> AttentionCase.shape(weighting, 3, 19))
                .flatMap(plain -> Stream.of(plain, plain.withScoreBias(11).withLogLength(LogLength.SEEN)));
    }

    /** A sequence has the same bits alone, after a longer one, and among others with several threads. */
    @ParameterizedTest
    @MethodSource("manyShapes")
    void bitsDependNeitherOnThreadsNorOnOtherSequences(AttentionShape shape) {
        int[] lengths = new Random(3).ints(300, 1, 40).toArray();
        AttentionCase inputs = last(AttentionCase.normal(shape, 5, lengths));
        Threads.assertSameBits(workers -> run(kernel(workers), inputs).all());
        AttentionCase alone = new AttentionCase(shape, new int[] {lengths[0]}, inputs.inputs(), inputs.dOutputs());
        float[] query =
                Arrays.copyOfRange(inputs.queries(), (lengths[0] - 1) * shape.width(), lengths[0] * shape.width());
        float[] outputs = new float[shape.width()];
        kernel().forward(
                        AttentionOutputs.of(outputs),
                        AttentionInputs.of(query, inputs.keys(), inputs.values())
                                .withScoreBiases(inputs.inputs().scoreBiases()),
                        alone.sequences(),
                        shape);
        assertThat(outputs).isEqualTo(Arrays.copyOf(run(kernel(), inputs).outputs(), shape.width()));
    }

    /** Infinities and NaN have the results of the last rows of the whole attention. */
    @ParameterizedTest
    @EnumSource
    void infinitiesAndNaNAreThoseOfTheWholeAttention(Weighting weighting) {
        for (float odd : new float[] {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 1e38f}) {
            for (int row : new int[] {0, 3, 70, 71}) {
                AttentionCase inputs = AttentionCase.integers(AttentionCase.shape(weighting, 2, 5), 9, 72);
                inputs.keys()[inputs.at(row, 1, 2)] = odd;
                inputs.values()[inputs.at(row, 0, 4)] = odd;
                float[] outputs = new float[10];
                kernel().forward(
                                AttentionOutputs.of(outputs),
                                AttentionInputs.of(
                                        lastRows(inputs.queries(), inputs.sequences(), 10),
                                        inputs.keys(),
                                        inputs.values()),
                                inputs.sequences(),
                                inputs.shape());
                assertThat(outputs)
                        .as("%s in row %d", odd, row)
                        .isEqualTo(lastRows(inputs.run(attention()), inputs.sequences(), 10));
            }
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        AttentionShape shape = AttentionShape.softmax(2, 8).withScoreBias(3);
        RaggedOffsets sequences = RaggedOffsets.ofLengths(2, 3);
        float[] rows = new float[32];
        float[] all = new float[80];
        float[] six = new float[6];
        AttentionInputs good = AttentionInputs.of(rows, all, all).withScoreBiases(six);
        AttentionOutputs outputs = AttentionOutputs.of(new float[32]);
        assertRefused(
                () -> kernel().forward(outputs, good, sequences, shape.withIdentities(3)),
                "shape: expected no identity terms, got 3 columns");
        assertRefused(
                () -> kernel().forward(outputs, good, RaggedOffsets.ofLengths(2, 0), shape),
                "sequences: expected at least 1 position each, got none in sequence 1");
        assertRefused(
                () -> kernel().forward(AttentionOutputs.of(six), good, sequences, shape),
                "outputs: expected at least 32 elements, got 6");
        BiConsumer<AttentionInputs, String> refuse =
                (inputs, message) -> assertRefused(() -> kernel().forward(outputs, inputs, sequences, shape), message);
        refuse.accept(
                AttentionInputs.of(six, all, all).withScoreBiases(six),
                "queries: expected at least 32 elements, got 6");
        refuse.accept(
                AttentionInputs.of(rows, rows, all).withScoreBiases(six),
                "keys: expected at least 80 elements, got 32");
        refuse.accept(
                AttentionInputs.of(rows, all, rows).withScoreBiases(six),
                "values: expected at least 80 elements, got 32");
        refuse.accept(AttentionInputs.of(rows, all, all), "scoreBiases: expected at least 6 elements, got 0");
        assertRefused(
                () -> kernel().backward(good, AttentionOutputs.of(six), outputs, good, sequences, shape),
                "dOutputs.outputs: expected at least 32 elements, got 6");
        assertRefused(
                () -> kernel().backward(AttentionInputs.of(rows, all, rows), outputs, outputs, good, sequences, shape),
                "dInputs.values: expected at least 80 elements, got 32");
    }
}
