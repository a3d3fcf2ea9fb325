package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.paddedWidth;
import static org.lemmata.kernel.attention.AttentionPacking.roundUp;
import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;
import static org.lemmata.kernel.attention.TileAttention.LANES;
import static org.lemmata.kernel.attention.TileAttention.NARROW_ROWS;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.RoundedAttention.RoundedForwardCall;
import org.lemmata.kernel.elementary.Species;

/**
 * The forward pass of one head of a sequence with rounded tensors, {@link AttentionProducts#QUERIES} queries at a time.
 * {@link RoundedStrip} computes the weights of a block of queries; unless sums are rounded, the products with the
 * values are as in {@link VectorAttention}.
 *
 * <p>Each object serves one thread and keeps its arrays, which grow to the largest head so far.
 */
final class RoundedForwardPass {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, SPECIES.vectorShape());

    /** If the magnitude of a sum is below this, the remainder of its division may not be a binary32 number. */
    private static final float SMALL = 0x1p-60f;

    private static final float GROWTH = 0x1p64f;

    private static final int ONE_BITS = Float.floatToRawIntBits(1);

    private final RoundedStrip strip = new RoundedStrip();

    private final AttentionPanels values = new AttentionPanels();

    /** The weighted sums of values: one row per query of a block, padded to whole vectors. */
    private float[] sums = {};

    private float[] quotients = {};

    /** Processes all queries of a unit. The outputs are not yet rounded. */
    void run(RoundedForwardCall call, AttentionUnit unit) {
        AttentionShape shape = unit.shape();
        int length = unit.length;
        int to = unit.to;
        boolean causal = shape.mask() == Mask.CAUSAL;
        int visible = causal ? to : length;
        int width = shape.headWidth() + shape.identityWidth();
        int stride = paddedWidth(width);
        RoundedAttention attention = call.attention;
        strip.setHead(attention, unit, visible);
        AttentionInputs inputs = unit.inputs();
        values.pack(unit, inputs.values(), inputs.tokens(), 0, visible);
        sums = atLeast(sums, QUERIES * stride);
        quotients = atLeast(quotients, QUERIES * stride);
        for (int query = unit.from; query < to; query += QUERIES) {
            int queries = Math.min(QUERIES, to - query);
            int end = causal ? query + queries : length;
            strip.score(unit, query, queries, end);
            Arrays.fill(sums, 0, roundUp(queries, NARROW_ROWS) * stride, 0);
            for (int key = 0; key < end; key += QUERIES) {
                int keys = Math.min(QUERIES, end - key);
                int diagonal = causal ? query - key : AttentionProducts.UNMASKED;
                strip.weigh(key, keys);
                if (attention.sums != null && attention.plainSums != null) {
                    strip.products.addToQueries(
                            strip.block.strip, key, keys, queries, diagonal, attention.sums, attention.plainSums);
                    continue;
                }
                AttentionProducts.addToQueries(sums, strip.block.strip, values, key, keys, queries, diagonal);
            }
            if (attention.sums != null) {
                strip.products.copySums(sums, stride, strip.weights.totals, queries);
            }
            finish(call, unit, query, queries);
        }
        strip.products.release();
    }

    /** Divides by the sums of weights, and writes the outputs and the saved values. */
    private void finish(RoundedForwardCall call, AttentionUnit unit, int query, int rows) {
        AttentionShape shape = unit.shape();
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int stride = paddedWidth(headWidth + tokenWidth);
        divide(rows, stride, roundUp(headWidth, LANES), call.attention.odd);
        AttentionPacking.unpackHead(call.outputs.outputs(), unit, query, quotients, rows);
        if (tokenWidth > 0) {
            divide(rows, stride, stride, false);
            AttentionPacking.unpackTokens(call.headAverages, unit, query, quotients, rows);
        }
        strip.save(call.outputs, unit);
    }

    private void divide(int rows, int stride, int columns, boolean odd) {
        for (int r = 0; r < rows; r++) {
            if (odd) {
                odd(quotients, sums, r * stride, r * stride + columns, strip.weights.totals[r]);
            } else {
                nearest(quotients, sums, r * stride, r * stride + columns, strip.weights.totals[r]);
            }
        }
    }

    /** {@link Quotient} with SIMD: divides a row of sums by one total. */
    static void nearest(float[] quotients, float[] sums, int from, int to, float total) {
        for (int at = from; at < to; at += LANES) {
            FloatVector.fromArray(SPECIES, sums, at).add(0f).div(total).intoArray(quotients, at);
        }
    }

    /**
     * Rounds to odd. The exact remainder {@code sum - quotient * total} shows whether the magnitude of the quotient is
     * too small or too large. An even quotient then moves one step in the right direction. If the sum or the total is
     * infinite or NaN, the remainder is NaN, and the quotient does not move.
     */
    static void odd(float[] quotients, float[] sums, int from, int to, float total) {
        FloatVector divisor = FloatVector.broadcast(SPECIES, total);
        FloatVector zero = FloatVector.zero(SPECIES);
        for (int at = from; at < to; at += LANES) {
            FloatVector sum = FloatVector.fromArray(SPECIES, sums, at).add(0f);
            FloatVector quotient = sum.div(divisor);
            FloatVector growth = zero.add(1f).blend(GROWTH, sum.abs().compare(VectorOperators.LT, SMALL));
            FloatVector sign =
                    sum.reinterpretAsInts().and(Integer.MIN_VALUE).or(ONE_BITS).reinterpretAsFloats();
            FloatVector remainder =
                    quotient.mul(growth).neg().fma(divisor, sum.mul(growth)).mul(sign);
            IntVector bits = quotient.reinterpretAsInts();
            VectorMask<Integer> even = bits.and(1).compare(VectorOperators.EQ, 0);
            IntVector step = IntVector.zero(INTS)
                    .blend(1, remainder.compare(VectorOperators.GT, 0f).cast(INTS))
                    .blend(-1, remainder.compare(VectorOperators.LT, 0f).cast(INTS));
            bits.add(step, even).reinterpretAsFloats().intoArray(quotients, at);
        }
    }
}
