package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.paddedWidth;
import static org.lemmata.kernel.attention.AttentionPacking.roundUp;
import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;
import static org.lemmata.kernel.attention.AttentionTile.LANES;
import static org.lemmata.kernel.attention.AttentionTile.NARROW_ROWS;

import java.util.Arrays;
import org.lemmata.kernel.attention.AttentionShape.Mask;

/**
 * The forward pass of one head of a sequence with its tensors rounded, {@link AttentionProducts#QUERIES} queries at a
 * time: {@link RoundedStrip} has the weights of a block of queries, and their products with the values are those of
 * {@link ForwardPass}.
 *
 * <p>One object serves one thread; its arrays grow to the largest head seen, and stay.
 */
final class RoundedForwardPass {

    private final RoundedStrip strip = new RoundedStrip();

    /** Panels. */
    private float[] values = {};

    /** Weighted sums of values, a row of whole vectors for each query of a block. */
    private float[] sums = {};

    private float[] quotients = {};

    /** Queries {@code from} ... {@code to - 1} of a sequence; outputs are not yet rounded. */
    void run(RoundedForwardCall call, int first, int length, int head, int from, int to) {
        AttentionShape shape = call.shape;
        boolean causal = shape.mask() == Mask.CAUSAL;
        int visible = causal ? to : length;
        int width = shape.headWidth() + shape.identityWidth();
        int stride = paddedWidth(width);
        int height = roundUp(visible, NARROW_ROWS);
        strip.setHead(call.rounding, call.sums, call.stream, call.inputs, first, visible, head, shape);
        packValues(call.inputs, first, visible, height, head, shape);
        sums = atLeast(sums, QUERIES * stride);
        quotients = atLeast(quotients, QUERIES * stride);
        for (int query = from; query < to; query += QUERIES) {
            int queries = Math.min(QUERIES, to - query);
            int end = causal ? query + queries : length;
            strip.score(query, queries, end, length);
            Arrays.fill(sums, 0, roundUp(queries, NARROW_ROWS) * stride, 0);
            for (int key = 0; key < end; key += QUERIES) {
                int keys = Math.min(QUERIES, end - key);
                int diagonal = causal ? query - key : AttentionProducts.UNMASKED;
                strip.weigh(key, keys);
                if (call.sums != null && call.plainSums != null) {
                    strip.products()
                            .addToQueries(strip.weights(), key, keys, queries, diagonal, call.sums, call.plainSums);
                    continue;
                }
                // Below the diagonal nothing is masked.
                boolean exact = diagonal < keys && !AttentionProducts.isFinite(values, key, keys, height, width);
                AttentionProducts.addToQueries(
                        sums, strip.weights(), values, key, height, width, keys, queries, diagonal, exact);
            }
            if (call.sums != null) {
                strip.products().copySums(sums, stride, strip.totals(), queries);
            }
            finish(call, first + query, queries, head);
        }
        strip.release();
    }

    private void packValues(AttentionInputs inputs, int first, int rows, int height, int head, AttentionShape shape) {
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int width = headWidth + tokenWidth;
        values = atLeast(values, height * paddedWidth(width));
        int at = first * shape.width() + head * headWidth;
        AttentionPacking.packPanels(values, height, width, 0, inputs.values(), at, shape.width(), rows, headWidth);
        if (tokenWidth > 0) {
            at = first * tokenWidth;
            AttentionPacking.packPanels(
                    values, height, width, headWidth, inputs.tokens(), at, tokenWidth, rows, tokenWidth);
        }
    }

    /** Divides by the sums of weights, and writes outputs and what is saved. */
    private void finish(RoundedForwardCall call, int row, int rows, int head) {
        AttentionShape shape = call.shape;
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int stride = paddedWidth(headWidth + tokenWidth);
        divide(rows, stride, roundUp(headWidth, LANES), call.odd);
        int to = row * shape.width() + head * headWidth;
        AttentionPacking.unpackRows(call.outputs.outputs(), to, shape.width(), quotients, 0, stride, rows, headWidth);
        if (tokenWidth > 0) {
            divide(rows, stride, stride, false);
            to = (row * shape.heads() + head) * tokenWidth;
            AttentionPacking.unpackRows(
                    call.headAverages, to, shape.heads() * tokenWidth, quotients, headWidth, stride, rows, tokenWidth);
        }
        strip.save(call.outputs, row, rows);
    }

    private void divide(int rows, int stride, int columns, boolean odd) {
        for (int r = 0; r < rows; r++) {
            if (odd) {
                LaneQuotient.odd(quotients, sums, r * stride, r * stride + columns, strip.totals()[r]);
            } else {
                LaneQuotient.nearest(quotients, sums, r * stride, r * stride + columns, strip.totals()[r]);
            }
        }
    }
}
