package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.paddedWidth;
import static org.lemmata.kernel.attention.AttentionPacking.roundUp;
import static org.lemmata.kernel.attention.AttentionTile.LANES;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.elementary.Species;

/**
 * One head of one query: the scores of all positions, then for a block of them weights and sums of values, with the
 * blocks and so the bits of {@link ForwardPass}.
 *
 * <p>One object serves one thread; its arrays grow to the largest cache seen, and stay.
 */
final class StepPass {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final int BLOCK = AttentionProducts.QUERIES;

    private static final int VECTORS = 4;

    private final StepScores scores = new StepScores();
    private final StepWeights weights = new StepWeights();

    /** Weighted sums of values, then, from whole vectors on, of tokens. */
    private float[] sums = {};

    /** The sum of the weights of a block, in every lane. */
    private final float[] blockTotal = new float[LANES];

    /** Writes the outputs of a head, and its averages of tokens, those of all heads of a row side by side. */
    void run(
            AttentionOutputs outputs,
            float[] headAverages,
            AttentionInputs inputs,
            AttentionCache cache,
            int sequence,
            int row,
            int head) {
        AttentionShape shape = cache.shape();
        int length = cache.length(sequence);
        // By the capacity, not the length: that grows with every token.
        scores.reserve(roundUp(cache.capacity(), BLOCK));
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int tokenSums = paddedWidth(headWidth);
        int end = tokenSums + paddedWidth(tokenWidth);
        sums = atLeast(sums, end);
        Arrays.fill(sums, 0, end, 0);

        if (shape.hasScores()) {
            scores.compute(inputs, cache, sequence, row, head);
        }
        weights.start(ScoreStrip.sharpness(shape, shape.lengthFactor(length)), shape.cutoff(length));
        if (shape.weighting() == Weighting.THRESHOLDED) {
            weights.findGreatest(scores.scores, 0, length);
        }
        float total = 0;
        for (int from = 0; from < length; from += BLOCK) {
            int count = Math.min(BLOCK, length - from);
            weights.weigh(shape.weighting(), scores.scores, from, count);
            if (from > 0) {
                rescale(end, weights.factor);
            }
            int first = cache.row(sequence, from);
            int value = first * shape.width() + head * headWidth;
            add(0, headWidth, from, count, cache.values, value, shape.width());
            add(tokenSums, tokenWidth, from, count, cache.tokens, first * tokenWidth, tokenWidth);
            total = blockTotal[0] + weights.factor * total;
        }
        divide(end, total);
        System.arraycopy(sums, 0, outputs.outputs(), row * shape.width() + head * headWidth, headWidth);
        System.arraycopy(
                sums, tokenSums, headAverages, (row * shape.heads() + head) * tokenWidth, tokenWidth);
    }

    /** Adds weights times {@code columns} columns of rows to the sums from {@code at} on. */
    private void add(int at, int columns, int from, int count, float[] rows, int rowsAt, int stride) {
        int last = paddedWidth(columns) - LANES;
        for (int column = 0; column < columns; column += VECTORS * LANES) {
            addColumns(
                    at,
                    column,
                    Math.min(column + LANES, last),
                    Math.min(column + 2 * LANES, last),
                    Math.min(column + 3 * LANES, last),
                    from,
                    count,
                    rows,
                    rowsAt,
                    stride);
        }
    }

    /**
     * Four vectors of columns at a time, and the sum of the weights beside them. Where fewer are left, the last one is
     * summed more than once: a chain alone would have to wait for itself as long.
     */
    private void addColumns(
            int at, int c0, int c1, int c2, int c3, int from, int count, float[] rows, int rowsAt, int stride) {
        float[] w = scores.scores;
        FloatVector s0 = FloatVector.fromArray(SPECIES, sums, at + c0);
        FloatVector s1 = FloatVector.fromArray(SPECIES, sums, at + c1);
        FloatVector s2 = FloatVector.fromArray(SPECIES, sums, at + c2);
        FloatVector s3 = FloatVector.fromArray(SPECIES, sums, at + c3);
        FloatVector total = FloatVector.zero(SPECIES);
        for (int j = 0; j < count; j++) {
            FloatVector weight = FloatVector.broadcast(SPECIES, w[from + j]);
            int row = rowsAt + j * stride;
            total = total.add(weight);
            s0 = weight.fma(FloatVector.fromArray(SPECIES, rows, row + c0), s0);
            s1 = weight.fma(FloatVector.fromArray(SPECIES, rows, row + c1), s1);
            s2 = weight.fma(FloatVector.fromArray(SPECIES, rows, row + c2), s2);
            s3 = weight.fma(FloatVector.fromArray(SPECIES, rows, row + c3), s3);
        }
        s0.intoArray(sums, at + c0);
        s1.intoArray(sums, at + c1);
        s2.intoArray(sums, at + c2);
        s3.intoArray(sums, at + c3);
        total.intoArray(blockTotal, 0);
    }

    private void rescale(int end, float factor) {
        for (int at = 0; at < end; at += LANES) {
            FloatVector.fromArray(SPECIES, sums, at).mul(factor).intoArray(sums, at);
        }
    }

    /** Adds 0 before, as {@link ForwardPass} does. */
    private void divide(int end, float total) {
        for (int at = 0; at < end; at += LANES) {
            FloatVector.fromArray(SPECIES, sums, at).add(0f).div(total).intoArray(sums, at);
        }
    }
}
