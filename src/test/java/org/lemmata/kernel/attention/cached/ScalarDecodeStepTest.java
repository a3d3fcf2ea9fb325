package org.lemmata.kernel.attention.cached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lemmata.oracle.Refusals.assertRefused;

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

/**
 * Tests of the scalar decode step, which those of others inherit. A walk appends a case row by row and makes a step
 * after each, so that every row of the forward pass is the last one once.
 */
class ScalarDecodeStepTest {

    private static final int[] RAGGED = {5, 0, 1, 17, 0, 33, 2, 0};

    private static final float[] NONE = {};

    CachedAttention step(Workers workers) {
        return new ScalarCachedAttention();
    }

    /** The attention of the same kind (scalar or SIMD). */
    Attention attention() {
        return new ScalarAttention();
    }

    final CachedAttention step() {
        return step(Workers.caller());
    }

    /** The number in the cache of a sequence of the case. */
    private static int cached(int sequence, int[] lengths) {
        return lengths.length - 1 - sequence;
    }

    private static AttentionCache cache(AttentionCase inputs) {
        int longest = Arrays.stream(inputs.lengths()).max().orElse(1);
        return new AttentionCache(
                inputs.shape(), Math.max(1, inputs.lengths().length), Math.max(1, longest) + inputs.lengths().length);
    }

    static AttentionOutputs walk(CachedAttention step, AttentionCase inputs) {
        return walk(step, inputs, cache(inputs), 1);
    }

    /** Makes a step after each {@code stride} positions; rows without a step are 0. */
    private static AttentionOutputs walk(CachedAttention step, AttentionCase inputs, AttentionCache cache, int stride) {
        RaggedOffsets sequences = inputs.sequences();
        AttentionOutputs all = AttentionOutputs.zeros(sequences, inputs.shape());
        int longest = Arrays.stream(inputs.lengths()).max().orElse(0);
        for (int t = 0; t < longest; t += stride) {
            int end = t;
            int[] active = IntStream.range(0, sequences.count())
                    .filter(s -> sequences.length(s) > end)
                    .toArray();
            int[] last = new int[active.length];
            int[] cached = new int[active.length];
            for (int r = 0; r < active.length; r++) {
                int count = Math.min(stride, sequences.length(active[r]) - t);
                cached[r] = cached(active[r], inputs.lengths());
                last[r] = sequences.start(active[r]) + t + count - 1;
                cache.append(cached[r], inputs.inputs(), sequences.start(active[r]) + t, count);
            }
            step(step, inputs, cache, cached, last, all);
        }
        return all;
    }

    /** Makes a step for the rows {@code rows} of the case. */
    private static void step(
            CachedAttention step,
            AttentionCase inputs,
            AttentionCache cache,
            int[] cached,
            int[] rows,
            AttentionOutputs all) {
        int width = inputs.shape().width();
        int tokenWidth = inputs.shape().identityWidth();
        float[] queries = new float[rows.length * width];
        for (int r = 0; r < rows.length && inputs.shape().hasScores(); r++) {
            System.arraycopy(inputs.queries(), rows[r] * width, queries, r * width, width);
        }
        float[] outputs = AttentionCase.guarded(rows.length * width, Float.NaN);
        float[] identityOutputs = AttentionCase.guarded(rows.length * tokenWidth, Float.NaN);
        step.forward(
                new AttentionOutputs(outputs, identityOutputs, NONE, NONE),
                AttentionInputs.of(queries, NONE, NONE)
                        .withIdentities(
                                NONE,
                                inputs.inputs().keyQueryIdentities(),
                                inputs.inputs().valueOutputIdentities())
                        .withScoreBiases(inputs.inputs().scoreBiases()),
                cache,
                cached,
                rows.length);
        for (int r = 0; r < rows.length; r++) {
            System.arraycopy(outputs, r * width, all.outputs(), rows[r] * width, width);
            System.arraycopy(identityOutputs, r * tokenWidth, all.identityOutputs(), rows[r] * tokenWidth, tokenWidth);
        }
        AttentionCase.checkCanaries(outputs, rows.length * width);
        AttentionCase.checkCanaries(identityOutputs, rows.length * tokenWidth);
    }

    /** Checks that steps are within the oracle's error bound and have the bits of the forward pass. */
    private void check(AttentionShape shape, long seed, int... lengths) {
        AttentionCase inputs = AttentionCase.normalOrExact(shape, seed, lengths);
        AttentionOutputs actual = walk(step(), inputs);
        inputs.checkOutputs(actual);
        assertHasTheBitsOf(inputs.forward(attention()), actual, shape + ", seed " + seed);
    }

    /** Checks for equal bits, except the sign of zeros. */
    private static void assertHasTheBitsOf(AttentionOutputs expected, AttentionOutputs actual, String what) {
        List<float[]> pairs =
                List.of(expected.outputs(), actual.outputs(), expected.identityOutputs(), actual.identityOutputs());
        for (int i = 0; i < pairs.size(); i += 2) {
            for (int at = 0; at < pairs.get(i).length; at++) {
                float a = pairs.get(i)[at];
                float b = pairs.get(i + 1)[at];
                if (a != b && !(Float.isNaN(a) && Float.isNaN(b))) {
                    throw new AssertionError(what + ", array " + i / 2 + ", element " + at + ": the forward pass gives "
                            + a + ", the step " + b);
                }
            }
        }
    }

    /** Earlier rows of a forward pass use the whole length, which steps do not know yet; only last rows agree. */
    @ParameterizedTest
    @EnumSource
    void theLastRowTakesTheLogarithmOfTheWholeLength(Weighting weighting) {
        AttentionShape shape =
                AttentionCase.shape(weighting, 2, 7).withIdentities(3).withLogLength(LogLength.SEQUENCE);
        AttentionCase inputs = AttentionCase.normalOrExact(shape, 11, 200, 1, 0, 33, 2);
        AttentionOutputs expected = inputs.forward(attention());
        AttentionOutputs actual = walk(step(), inputs, cache(inputs), 200);
        for (int sequence = 0; sequence < inputs.lengths().length; sequence++) {
            int end = inputs.sequences().end(sequence);
            if (inputs.lengths()[sequence] > 0) {
                assertThat(Arrays.copyOfRange(actual.outputs(), 14 * (end - 1), 14 * end))
                        .containsExactly(Arrays.copyOfRange(expected.outputs(), 14 * (end - 1), 14 * end));
                assertThat(Arrays.copyOfRange(actual.identityOutputs(), 3 * (end - 1), 3 * end))
                        .containsExactly(Arrays.copyOfRange(expected.identityOutputs(), 3 * (end - 1), 3 * end));
            }
        }
    }

    /** Lengths up to beyond three blocks. */
    @ParameterizedTest
    @EnumSource
    void everyLengthIsWithinTheErrorBoundAndHasTheBitsOfTheForwardPass(Weighting weighting) {
        check(AttentionCase.shape(weighting, 2, 7), 1, 300);
    }

    @ParameterizedTest
    @EnumSource
    void everyHeadWidthAndNumberOfHeadsIsWithinTheErrorBound(Weighting weighting) {
        for (int headWidth : AttentionCase.HEAD_WIDTHS) {
            for (int heads = 1; heads <= 4; heads += headWidth > 64 ? 3 : 1) {
                check(AttentionCase.shape(weighting, heads, headWidth), 1000 + headWidth, RAGGED);
            }
        }
    }

    static Stream<AttentionShape> singleOptions() {
        return AttentionCase.shapes(plain -> List.of(
                plain.withIdentities(1),
                plain.withIdentities(24),
                plain.withLogLength(LogLength.SEEN),
                plain.withScoreBias(1),
                plain.withScoreBias(9),
                plain.withScoreBias(100),
                plain.withScoreScale(0),
                plain.withScoreScale(-0.25f)));
    }

    @ParameterizedTest
    @MethodSource("singleOptions")
    void everyOptionAloneIsWithinTheErrorBound(AttentionShape shape) {
        check(shape, 61, 5, 0, 1, 113, 2);
    }

    @Test
    void combinationsOfOptionsAreWithinTheErrorBound() {
        AttentionCase.forSeeds(seed -> {
            Random random = new Random(seed);
            AttentionShape shape =
                    AttentionCase.draw(random, List.of(Mask.CAUSAL), 40, List.of(LogLength.NONE, LogLength.SEEN));
            int[] lengths = random.ints(1 + random.nextInt(5), 0, 60)
                    .map(length -> length < 10 ? length / 5 : 2 * length)
                    .toArray();
            check(shape, seed, lengths);
        });
    }

    static Stream<AttentionShape> manyShapes() {
        return Arrays.stream(Weighting.values())
                .map(weighting -> AttentionCase.shape(weighting, 3, 19))
                .flatMap(plain -> Stream.of(
                        plain, plain.withIdentities(5).withScoreBias(11).withLogLength(LogLength.SEEN)));
    }

    @ParameterizedTest
    @MethodSource("manyShapes")
    void positionsMayBeAppendedManyAtATime(AttentionShape shape) {
        AttentionCase inputs = AttentionCase.normal(shape, 5, 130, 0, 1, 64, 7);
        AttentionOutputs one = walk(step(), inputs);
        for (int stride : new int[] {2, 16, 29, 1000}) {
            AttentionOutputs many = walk(step(), inputs, cache(inputs), stride);
            for (int s = 0; s < inputs.lengths().length; s++) {
                int last = inputs.sequences().end(s) - 1;
                int width = shape.width();
                if (inputs.lengths()[s] > 0) {
                    assertThat(Arrays.copyOfRange(many.outputs(), last * width, (last + 1) * width))
                            .as("stride %d, sequence %d", stride, s)
                            .isEqualTo(Arrays.copyOfRange(one.outputs(), last * width, (last + 1) * width));
                }
            }
        }
    }

    /** Truncated content, and content behind a length, has no effect even if it is NaN. */
    @ParameterizedTest
    @MethodSource("manyShapes")
    void whatWasTruncatedIsForgotten(AttentionShape shape) {
        AttentionCase inputs = AttentionCase.normal(shape, 11, 4, 47, 3);
        AttentionOutputs fresh = walk(step(), inputs);
        for (float rest : new float[] {Float.NaN, Float.POSITIVE_INFINITY, -1e30f}) {
            AttentionCache used = cache(inputs);
            AttentionCase dirt = AttentionCase.of(shape, () -> rest, used.capacity());
            for (int s = 0; s < used.sequences(); s++) {
                used.append(s, dirt.inputs(), 0, used.capacity());
                used.truncate(s, 0);
            }
            AttentionOutputs actual = walk(step(), inputs, used, 1);
            assertThat(actual.outputs()).as("after %s", rest).isEqualTo(fresh.outputs());
            assertThat(actual.identityOutputs()).as("after %s", rest).isEqualTo(fresh.identityOutputs());
        }
    }

    /** After rows of another case, each sequence is truncated to half its length and continued with its own rows. */
    @ParameterizedTest
    @MethodSource("manyShapes")
    void aSequenceGoesBackAndOn(AttentionShape shape) {
        AttentionCase inputs = AttentionCase.normal(shape, 13, 40, 21, 64);
        AttentionCase others = AttentionCase.normal(shape, 14, 50);
        AttentionCache cache = cache(inputs);
        AttentionOutputs fresh = walk(step(), inputs, cache(inputs), 1000);
        AttentionOutputs actual = AttentionOutputs.zeros(inputs.sequences(), shape);
        int[] rows = new int[3];
        for (int s = 0; s < 3; s++) {
            int start = inputs.sequences().start(s);
            int length = inputs.lengths()[s];
            int cached = cached(s, inputs.lengths());
            cache.append(cached, inputs.inputs(), start, length / 2);
            cache.append(cached, others.inputs(), 7, length / 3);
            cache.truncate(cached, length / 2);
            cache.append(cached, inputs.inputs(), start + length / 2, length - length / 2);
            rows[s] = start + length - 1;
        }
        step(step(), inputs, cache, new int[] {2, 1, 0}, rows, actual);
        assertThat(actual.outputs()).isEqualTo(fresh.outputs());
        assertThat(actual.identityOutputs()).isEqualTo(fresh.identityOutputs());
    }

    /** Infinities, subnormal numbers and NaN have the results of the forward pass. */
    @ParameterizedTest
    @MethodSource("manyShapes")
    void extremesBecomeWhatTheyDoInTheForwardPass(AttentionShape shape) {
        float[] extremes = {
            Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 1e30f, -1e38f, 1e-40f, Float.MIN_VALUE, -0f
        };
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            AttentionCase inputs = AttentionCase.normal(shape, seed, 120, 9);
            for (int i = 0; i < 1 + seed / 8; i++) {
                float[] array = List.of(
                                inputs.queries(),
                                inputs.keys(),
                                inputs.values(),
                                inputs.inputs().tokens())
                        .get(random.nextInt(shape.identityWidth() > 0 ? 4 : 3));
                array[random.nextInt(array.length)] = extremes[random.nextInt(extremes.length)];
            }
            assertHasTheBitsOf(inputs.forward(attention()), walk(step(), inputs), "seed " + seed);
        }
    }

    @ParameterizedTest
    @MethodSource("manyShapes")
    void everyNumberOfThreadsHasTheSameBits(AttentionShape shape) {
        AttentionCase inputs = AttentionCase.normal(shape, 71, 130, 0, 1, 260, 64, 64, 64);
        Threads.assertSameBits(workers -> AttentionCase.arrays(walk(step(workers), inputs, cache(inputs), 13)));
    }

    @Test
    void aCacheOfAnotherMaskOrSizeIsRefused() {
        AttentionShape shape = AttentionShape.softmax(2, 8);
        assertRefused(() -> new AttentionCache(shape.withoutMask(), 1, 1), "shape: expected a causal mask, got NONE");
        assertRefused(() -> new AttentionCache(shape, 0, 5), "sequences, capacity: expected at least 1, got 0, 5");
        assertRefused(
                () -> new AttentionCache(shape, 1 << 20, 1 << 10),
                "sequences * capacity * heads * headWidth: expected below 2^31, got 1073741824 * 16");
        assertThat(AttentionCache.sizeOfSequence(shape, 17)).isEqualTo(32 * 16 * 2);
        assertThat(AttentionCache.sizeOfSequence(shape.withIdentities(3), 16)).isEqualTo(16 * 19 * 2);
        assertThat(AttentionCache.sizeOfSequence(AttentionCase.shape(Weighting.UNIFORM, 1, 8), 16))
                .isEqualTo(16 * 8);
    }

    @Test
    void positionsThatDoNotFitAreRefused() {
        AttentionCase inputs = AttentionCase.normal(AttentionShape.softmax(2, 8).withIdentities(4), 3, 6);
        AttentionCache cache = new AttentionCache(inputs.shape(), 2, 5);
        cache.append(1, inputs.inputs(), 1, 4);
        assertThat(List.of(cache.length(0), cache.length(1), cache.capacity(), cache.sequences()))
                .containsExactly(0, 4, 5, 2);
        assertRefused(
                () -> cache.append(1, inputs.inputs(), 0, 2),
                "firstRow, count: expected 0 or more, and no more than 1 positions, got 0, 2");
        assertRefused(
                () -> cache.append(0, inputs.inputs(), -1, 2),
                "firstRow, count: expected 0 or more, and no more than 5 positions, got -1, 2");
        assertRefused(() -> cache.append(0, inputs.inputs(), 4, 3), "values: expected at least 112 elements, got 96");
        assertRefused(
                () -> cache.append(0, AttentionInputs.of(NONE, NONE, inputs.values()), 0, 1),
                "tokens: expected at least 4 elements, got 0");
        assertRefused(() -> cache.truncate(1, 5), "length: expected 0 to 4, got 5");
        assertThat(cache.length(1)).isEqualTo(4);
    }

    @Test
    void stepsThatDoNotFitAreRefused() {
        AttentionCase inputs = AttentionCase.normal(
                AttentionShape.softmax(2, 8).withIdentities(4).withScoreBias(3), 3, 6);
        AttentionCache cache = new AttentionCache(inputs.shape(), 2, 5);
        cache.append(1, inputs.inputs(), 1, 4);
        AttentionOutputs outputs = AttentionOutputs.zeros(inputs.sequences(), inputs.shape());
        AttentionInputs given = inputs.inputs();
        assertRefused(() -> step().forward(outputs, given, cache, new int[] {1}, 2), "count: expected 0 to 1, got 2");
        for (int sequence : new int[] {0, 2}) {
            assertRefused(
                    () -> step().forward(outputs, given, cache, new int[] {sequence}, 1),
                    "sequences: expected one of 2 that has a position, got " + sequence + " for row 0");
        }
        AttentionOutputs withoutIdentities = AttentionOutputs.of(outputs.outputs());
        float[] two = new float[2];
        AttentionInputs queries = AttentionInputs.of(inputs.queries(), NONE, NONE);
        AttentionInputs without = AttentionInputs.of(NONE, NONE, NONE).withIdentities(NONE, two, two);
        refuse(cache, AttentionOutputs.of(NONE), given, "outputs: expected at least 16 elements, got 0");
        refuse(cache, withoutIdentities, given, "identityOutputs: expected at least 4 elements, got 0");
        refuse(cache, outputs, queries, "valueOutputIdentities: expected at least 2 elements, got 0");
        AttentionInputs values = queries.withIdentities(NONE, NONE, two);
        refuse(cache, outputs, values, "keyQueryIdentities: expected at least 2 elements, got 0");
        AttentionInputs unbiased = queries.withIdentities(NONE, two, two);
        refuse(cache, outputs, unbiased, "scoreBiases: expected at least 6 elements, got 0");
        refuse(cache, outputs, without, "queries: expected at least 16 elements, got 0");
    }

    private void refuse(AttentionCache cache, AttentionOutputs outputs, AttentionInputs inputs, String message) {
        assertRefused(() -> step().forward(outputs, inputs, cache, new int[] {1}, 1), message);
    }
}
