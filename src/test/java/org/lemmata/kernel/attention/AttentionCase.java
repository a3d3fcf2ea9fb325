package org.lemmata.kernel.attention;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Guarded;
import org.lemmata.oracle.ExactAttention;

/** Inputs and output gradients of one attention, in arrays of exactly the needed lengths. */
@SuppressWarnings("ArrayRecordComponent") // Tests change elements; cases are not compared or printed.
public record AttentionCase(AttentionShape shape, int[] lengths, AttentionInputs inputs, AttentionOutputs dOutputs) {

    /** The elements behind written arrays, which must not change: a NaN that no arithmetic computes. */
    private static final int CANARY = 0x7FC0BEEF;

    private static final int CANARIES = 67;

    private static final float[] NONE = {};

    /** The names of the gradients; the first {@value #OVERWRITTEN} are overwritten, the others added to. */
    public static final List<String> GRADIENTS = List.of(
            "queries", "keys", "values", "tokens", "keyQueryIdentities", "valueOutputIdentities", "scoreBiases");

    private static final int OVERWRITTEN = 3;

    /** The initial content of gradients to which kernels add. */
    public static final float ADDED_TO = 0.75f;

    public static final List<Integer> HEAD_WIDTHS =
            List.of(1, 2, 3, 7, 8, 15, 16, 17, 30, 31, 32, 33, 64, 65, 128, 256);

    /**
     * Draws sizes and options at random.
     *
     * @param maxIdentities the maximum width of identity terms
     */
    public static AttentionShape draw(
            Random random, List<AttentionShape.Mask> masks, int maxIdentities, List<AttentionShape.LogLength> lengths) {
        AttentionShape.Weighting weighting = any(List.of(AttentionShape.Weighting.values()), random);
        int headWidth = any(HEAD_WIDTHS, random);
        return new AttentionShape(
                weighting,
                any(masks, random),
                1 + random.nextInt(4),
                headWidth,
                random.nextBoolean() ? 0 : random.nextInt(maxIdentities + 1),
                (float) ((random.nextInt(4) - 1) / Math.sqrt(headWidth)),
                any(lengths, random),
                random.nextBoolean() ? 0 : 1 + random.nextInt(50),
                weighting == AttentionShape.Weighting.THRESHOLDED ? 1 + random.nextInt(20) : 0);
    }

    private static <T> T any(List<T> values, Random random) {
        return values.get(random.nextInt(values.size()));
    }

    /** Shapes with every weighting, three head widths, and each of the options. */
    public static Stream<AttentionShape> shapes(Function<AttentionShape, List<AttentionShape>> options) {
        return Arrays.stream(AttentionShape.Weighting.values())
                .flatMap(weighting -> Stream.of(1, 16, 37).map(width -> shape(weighting, 2, width)))
                .flatMap(plain -> options.apply(plain).stream());
    }

    /** Calls a check with 64 fixed seeds and 10 new ones. */
    public static void forSeeds(LongConsumer check) {
        long fresh = System.nanoTime();
        System.out.println("combinations: fresh seed " + fresh);
        LongStream.concat(LongStream.range(0, 64), LongStream.range(fresh, fresh + 10))
                .forEach(check);
    }

    /** A case without further options and with output gradients 0. */
    public AttentionCase(AttentionShape shape, int[] lengths, float[] queries, float[] keys, float[] values) {
        this(
                shape,
                lengths,
                AttentionInputs.of(queries, keys, values),
                AttentionOutputs.zeros(RaggedOffsets.ofLengths(lengths), shape));
    }

    public static AttentionShape shape(AttentionShape.Weighting weighting, int heads, int headWidth) {
        AttentionShape softmax = AttentionShape.softmax(heads, headWidth);
        return weighting == AttentionShape.Weighting.THRESHOLDED
                ? softmax.withThreshold(3)
                : new AttentionShape(weighting, heads, headWidth, softmax.scoreScale());
    }

    /** A case with normally distributed numbers. */
    public static AttentionCase normal(AttentionShape shape, long seed, int... lengths) {
        Random random = new Random(seed);
        return of(shape, () -> (float) random.nextGaussian(), lengths);
    }

    /** A case with integers from -3 to 3: with a power of two as scale, scores and sums are exact; many ties. */
    public static AttentionCase integers(AttentionShape shape, long seed, int... lengths) {
        Random random = new Random(seed);
        return of(shape, () -> (float) (random.nextInt(7) - 3), lengths);
    }

    /** {@link #normal}, but {@link #integers} for hardmax, so that rounding does not decide the maximum score. */
    public static AttentionCase normalOrExact(AttentionShape shape, long seed, int... lengths) {
        return shape.weighting() == AttentionShape.Weighting.HARDMAX
                ? integers(shape.withScoreScale(0.25f), seed, lengths)
                : normal(shape, seed, lengths);
    }

    public static AttentionCase of(AttentionShape shape, Supplier<Float> number, int... lengths) {
        RaggedOffsets sequences = RaggedOffsets.ofLengths(lengths);
        int size = sequences.total() * shape.width();
        AttentionInputs zeros = AttentionInputs.zeros(sequences, shape);
        AttentionInputs inputs = AttentionInputs.of(new float[size], new float[size], new float[size])
                .withIdentities(zeros.tokens(), zeros.keyQueryIdentities(), zeros.valueOutputIdentities())
                .withScoreBiases(zeros.scoreBiases());
        AttentionCase made = new AttentionCase(shape, lengths, inputs, AttentionOutputs.zeros(sequences, shape));
        for (float[] array : made.arrays()) {
            for (int i = 0; i < array.length; i++) {
                array[i] = number.get();
            }
        }
        // In wide layers, inner products of tokens would otherwise be much larger than those of queries and keys.
        for (int head = 0; head < inputs.keyQueryIdentities().length; head++) {
            inputs.keyQueryIdentities()[head] *= 0.25f;
        }
        return made;
    }

    /** This case with another shape of the same sizes. */
    public AttentionCase withShape(AttentionShape other) {
        return new AttentionCase(other, lengths, inputs, dOutputs);
    }

    public float[] queries() {
        return inputs.queries();
    }

    public float[] keys() {
        return inputs.keys();
    }

    public float[] values() {
        return inputs.values();
    }

    public RaggedOffsets sequences() {
        return RaggedOffsets.ofLengths(lengths);
    }

    /** The arrays of inputs or input gradients. */
    public static List<float[]> arrays(AttentionInputs inputs) {
        return List.of(
                inputs.queries(),
                inputs.keys(),
                inputs.values(),
                inputs.tokens(),
                inputs.keyQueryIdentities(),
                inputs.valueOutputIdentities(),
                inputs.scoreBiases());
    }

    /** The arrays of outputs and of saved values. */
    public static List<float[]> arrays(AttentionOutputs outputs) {
        return List.of(outputs.outputs(), outputs.identityOutputs(), outputs.normalizers(), outputs.maxScores());
    }

    /** All arrays that kernels read. */
    private List<float[]> arrays() {
        List<float[]> all = new ArrayList<>(arrays(inputs));
        all.add(dOutputs.outputs());
        all.add(dOutputs.identityOutputs());
        return all;
    }

    public AttentionCase copy() {
        List<float[]> copies = arrays().stream().map(float[]::clone).toList();
        return new AttentionCase(
                shape, lengths, inputs(copies), new AttentionOutputs(copies.get(7), copies.get(8), NONE, NONE));
    }

    /** The inverse of {@link #arrays(AttentionInputs)}; further arrays are ignored. */
    public static AttentionInputs inputs(List<float[]> arrays) {
        return new AttentionInputs(
                arrays.get(0),
                arrays.get(1),
                arrays.get(2),
                arrays.get(3),
                arrays.get(4),
                arrays.get(5),
                arrays.get(6));
    }

    public int at(int row, int head, int d) {
        return row * shape.width() + head * shape.headWidth() + d;
    }

    /** Sets all inputs of row {@code row}. */
    public void fillRow(int row, float number) {
        int width = shape.width();
        for (float[] array : List.of(queries(), keys(), values())) {
            Arrays.fill(array, row * width, (row + 1) * width, number);
        }
        int tokenWidth = shape.identityWidth();
        Arrays.fill(inputs.tokens(), row * tokenWidth, (row + 1) * tokenWidth, number);
    }

    /** The outputs of a forward pass that saves nothing. */
    public float[] run(Attention attention) {
        return forward(attention, false).outputs();
    }

    /** Everything that the forward pass writes; fails if it writes behind an array or changes an input. */
    public AttentionOutputs forward(Attention attention) {
        return forward(attention, true);
    }

    /** Outputs, saved values and gradients. */
    public List<float[]> everything(Attention attention) {
        List<float[]> all = new ArrayList<>(arrays(forward(attention)));
        all.addAll(arrays(backward(attention)));
        return all;
    }

    private AttentionOutputs forward(Attention attention, boolean saves) {
        AttentionCase before = copy();
        AttentionOutputs needed = AttentionOutputs.zeros(sequences(), shape);
        List<float[]> arrays = saves ? arrays(needed) : List.of(needed.outputs(), needed.identityOutputs());
        List<float[]> guarded = arrays.stream()
                .map(array -> guarded(array.length, Float.intBitsToFloat(CANARY)))
                .toList();
        attention.forward(
                new AttentionOutputs(
                        guarded.get(0),
                        guarded.get(1),
                        saves && shape.hasScores() ? guarded.get(2) : NONE,
                        saves && shape.savesMaxScores() ? guarded.get(3) : NONE),
                inputs,
                sequences(),
                shape);
        checkUnchanged(before);
        for (int i = 0; i < arrays.size(); i++) {
            checkCanaries(guarded.get(i), arrays.get(i).length);
            System.arraycopy(guarded.get(i), 0, arrays.get(i), 0, arrays.get(i).length);
        }
        return saves ? needed : new AttentionOutputs(needed.outputs(), needed.identityOutputs(), NONE, NONE);
    }

    /**
     * Everything that the backward pass writes; it adds to {@value #ADDED_TO}. Fails if it writes behind an array, or
     * changes an input or an output.
     */
    public AttentionInputs backward(Attention attention) {
        AttentionCase before = copy();
        AttentionOutputs outputs = forward(attention);
        List<float[]> outputsBefore =
                arrays(outputs).stream().map(float[]::clone).toList();
        AttentionInputs needed = AttentionInputs.zeros(sequences(), shape);
        List<float[]> arrays = arrays(needed);
        float[][] guarded = new float[arrays.size()][];
        for (int i = 0; i < guarded.length; i++) {
            guarded[i] = guarded(arrays.get(i).length, i < OVERWRITTEN ? Float.intBitsToFloat(CANARY) : ADDED_TO);
        }
        attention.backward(inputs(List.of(guarded)), dOutputs, outputs, inputs, sequences(), shape);
        checkUnchanged(before);
        for (int i = 0; i < outputsBefore.size(); i++) {
            assertThat(arrays(outputs).get(i)).as("saved value " + i).isEqualTo(outputsBefore.get(i));
        }
        for (int i = 0; i < guarded.length; i++) {
            checkCanaries(guarded[i], arrays.get(i).length);
            System.arraycopy(guarded[i], 0, arrays.get(i), 0, arrays.get(i).length);
        }
        return needed;
    }

    /** {@code length} elements, followed by canaries. */
    public static float[] guarded(int length, float content) {
        float[] array = new float[length + CANARIES];
        Arrays.fill(array, Float.intBitsToFloat(CANARY));
        Arrays.fill(array, 0, length, content);
        return array;
    }

    /** Fails if something behind the first {@code length} elements was written. */
    public static void checkCanaries(float[] array, int length) {
        for (int i = length; i < array.length; i++) {
            if (Float.floatToRawIntBits(array[i]) != CANARY) {
                throw new AssertionError("wrote element " + (i - length) + " behind an array");
            }
        }
    }

    private void checkUnchanged(AttentionCase before) {
        for (int i = 0; i < arrays().size(); i++) {
            if (!Arrays.equals(before.arrays().get(i), arrays().get(i))) {
                throw new AssertionError("wrote input " + i);
            }
        }
    }

    public ExactAttention.Options exactOptions() {
        return new ExactAttention.Options(
                ExactAttention.Weights.valueOf(shape.weighting().name()),
                shape.mask() == AttentionShape.Mask.CAUSAL,
                shape.heads(),
                shape.headWidth(),
                shape.identityWidth(),
                shape.scoreScale(),
                ExactAttention.LogLength.valueOf(shape.logLength().name()),
                shape.biasSpan(),
                shape.thresholdBits(),
                lengths);
    }

    public ExactAttention.Inputs exactInputs() {
        List<double[]> wide = arrays().stream().map(Guarded::widened).toList();
        return new ExactAttention.Inputs(
                wide.get(0), wide.get(1), wide.get(2), wide.get(3), wide.get(4), wide.get(5), wide.get(6));
    }

    public ExactAttention.Outputs exactOutputGradients() {
        return new ExactAttention.Outputs(
                Guarded.widened(dOutputs.outputs()), Guarded.widened(dOutputs.identityOutputs()));
    }

    public ExactAttention.Bounded<ExactAttention.Outputs> exact() {
        return ExactAttention.forward(exactOptions(), exactInputs());
    }

    public ExactAttention.Bounded<ExactAttention.Inputs> exactGradients() {
        return ExactAttention.backward(exactOptions(), exactInputs(), exactOutputGradients());
    }

    /** Fails if an output is not within its error bound of the oracle. */
    public void checkForward(Attention attention) {
        checkOutputs(forward(attention));
    }

    public void checkOutputs(AttentionOutputs actual) {
        ExactAttention.Bounded<ExactAttention.Outputs> exact = exact();
        check(
                "outputs",
                actual.outputs(),
                exact.exact().outputs(),
                exact.tolerance().outputs());
        check(
                "identityOutputs",
                actual.identityOutputs(),
                exact.exact().identityOutputs(),
                exact.tolerance().identityOutputs());
    }

    /** Fails if a gradient is not within its error bound of the oracle. */
    public void checkBackward(Attention attention) {
        List<float[]> actual = arrays(backward(attention));
        ExactAttention.Bounded<ExactAttention.Inputs> result = exactGradients();
        for (int i = 0; i < actual.size(); i++) {
            checkGradient(i, actual.get(i), result);
        }
    }

    /** Fails if the gradient that {@link #GRADIENTS} has at {@code i} is not within its error bound. */
    public void checkGradient(int i, float[] actual, ExactAttention.Bounded<ExactAttention.Inputs> result) {
        double[] expected = result.exact().arrays().get(i).clone();
        double[] tolerance = result.tolerance().arrays().get(i).clone();
        for (int at = 0; i >= OVERWRITTEN && at < expected.length; at++) {
            expected[at] += ADDED_TO;
            tolerance[at] += (ADDED_TO + Math.abs(expected[at])) * Math.ulp(1f);
        }
        check("gradients of " + GRADIENTS.get(i), actual, expected, tolerance);
    }

    /** Those of uniform weights that are not looked at are not there. */
    private void check(String name, float[] actual, double[] expected, double[] tolerances) {
        for (int at = 0; at < actual.length; at++) {
            boolean good = Double.isNaN(expected[at])
                    ? Float.isNaN(actual[at])
                    : actual[at] == expected[at] || Math.abs(actual[at] - expected[at]) <= tolerances[at];
            if (!good) {
                throw new AssertionError(name + ", element " + at + ": expected " + expected[at] + " +- "
                        + tolerances[at] + ", got " + actual[at] + "; " + shape + ", lengths "
                        + Arrays.toString(lengths));
            }
        }
    }
}
