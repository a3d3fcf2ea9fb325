package org.lemmata.kernel.attention.rounded;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.paddedWidth;
import static org.lemmata.kernel.attention.AttentionPacking.roundUp;
import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;
import static org.lemmata.kernel.attention.TileAttention.LANES;
import static org.lemmata.kernel.attention.TileAttention.NARROW_ROWS;

import java.util.Arrays;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionPacking;
import org.lemmata.kernel.attention.AttentionPanels;
import org.lemmata.kernel.attention.AttentionProducts;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionUnit;
import org.lemmata.kernel.attention.VectorAttention;
import org.lemmata.kernel.attention.rounded.RoundedAttention.RoundedForwardCall;

/**
 * The forward pass of one head of a sequence with rounded tensors, {@link AttentionProducts#QUERIES} queries at a time.
 * {@link RoundedStrip} computes the weights of a block of queries; unless sums are rounded, the products with the
 * values are as in {@link VectorAttention}.
 *
 * <p>Each object serves one thread and keeps its arrays, which grow to the largest head so far.
 */
final class RoundedForwardPass {

    private final RoundedStrip strip = new RoundedStrip();

    private final AttentionPanels values = new AttentionPanels();

    /** The weighted sums of values: one row per query of a block, padded to whole vectors. */
    private float[] sums = {};

    private float[] quotients = {};

    /** Processes all queries of a unit. The outputs are not yet rounded. */
    void run(RoundedForwardCall call, AttentionUnit unit) {
        AttentionShape shape = unit.shape();
        int length = unit.length();
        int to = unit.to();
        boolean causal = shape.mask() == Mask.CAUSAL;
        int visible = causal ? to : length;
        int width = shape.headWidth() + shape.identityWidth();
        int stride = paddedWidth(width);
        strip.setHead(call.rounding, call.sums, call.stream, unit, visible);
        AttentionInputs inputs = unit.inputs();
        values.pack(unit, inputs.values(), inputs.tokens(), 0, visible);
        sums = atLeast(sums, QUERIES * stride);
        quotients = atLeast(quotients, QUERIES * stride);
        for (int query = unit.from(); query < to; query += QUERIES) {
            int queries = Math.min(QUERIES, to - query);
            int end = causal ? query + queries : length;
            strip.score(unit, query, queries, end);
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
                AttentionProducts.addToQueries(sums, strip.weights(), values, key, keys, queries, diagonal);
            }
            if (call.sums != null) {
                strip.products().copySums(sums, stride, strip.totals(), queries);
            }
            finish(call, unit, query, queries);
        }
        strip.release();
    }

    /** Divides by the sums of weights, and writes the outputs and the saved values. */
    private void finish(RoundedForwardCall call, AttentionUnit unit, int query, int rows) {
        AttentionShape shape = unit.shape();
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int stride = paddedWidth(headWidth + tokenWidth);
        divide(rows, stride, roundUp(headWidth, LANES), call.odd);
        AttentionPacking.unpackHead(call.outputs().outputs(), unit, query, quotients, rows);
        if (tokenWidth > 0) {
            divide(rows, stride, stride, false);
            AttentionPacking.unpackTokens(call.headAverages, unit, query, quotients, rows);
        }
        strip.save(call.outputs(), unit);
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
