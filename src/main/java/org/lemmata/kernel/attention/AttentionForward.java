package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.paddedWidth;
import static org.lemmata.kernel.attention.AttentionPacking.roundUp;
import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;
import static org.lemmata.kernel.attention.TileAttention.LANES;
import static org.lemmata.kernel.attention.TileAttention.NARROW_ROWS;

import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.elementary.Species;

/**
 * The forward pass of one head of a sequence, {@link AttentionProducts#QUERIES} queries at a time. For each block of
 * keys, it computes scores, then weights, then sums of values.
 *
 * <p>Identity terms are additional columns: a x in the keys, x in the queries and the values. Each object serves one
 * thread and keeps its arrays, which grow to the largest head so far.
 */
final class AttentionForward {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    private static final double LN_2 = Math.log(2);

    private final ScoreStrip scores = new ScoreStrip(false);
    private final AttentionWeights weights = new AttentionWeights();
    private final AttentionPanels values = new AttentionPanels();

    /** Weighted sums of values: one row per query of a block, padded to whole vectors. */
    private float[] sums = {};

    void run(AttentionOutputs outputs, float[] headAverages, AttentionUnit unit) {
        AttentionShape shape = unit.shape();
        int length = unit.length;
        int to = unit.to;
        boolean causal = shape.mask() == Mask.CAUSAL;
        int visible = causal ? to : length;
        int width = shape.headWidth() + shape.identityWidth();
        scores.setHead(unit, visible);
        AttentionInputs inputs = unit.inputs();
        values.pack(unit, inputs.values(), inputs.tokens(), 0, visible);
        sums = atLeast(sums, QUERIES * paddedWidth(width));
        for (int query = unit.from; query < to; query += QUERIES) {
            int queries = Math.min(QUERIES, to - query);
            scores.setQueries(unit, query, queries);
            setRows(query, queries, length, shape);
            Arrays.fill(sums, 0, roundUp(queries, NARROW_ROWS) * paddedWidth(width), 0);
            int end = causal ? query + queries : length;
            if (shape.weighting() == Weighting.THRESHOLDED) {
                findMaximum(query, queries, end, causal);
            }
            for (int key = 0; key < end; key += QUERIES) {
                int keys = Math.min(QUERIES, end - key);
                int diagonal = causal ? query - key : AttentionProducts.UNMASKED;
                scores.compute(key, keys, diagonal);
                weigh(queries, keys, diagonal, shape.weighting());
                if (key > 0) {
                    rescale(queries, paddedWidth(width));
                }
                AttentionProducts.addToQueries(sums, scores.strip, values, key, keys, queries, diagonal);
            }
            finish(outputs, headAverages, unit, query, queries);
        }
    }

    private void setRows(int query, int queries, int length, AttentionShape shape) {
        weights.start();
        if (shape.logLength() == LogLength.NONE && shape.weighting() != Weighting.THRESHOLDED) {
            Arrays.fill(weights.sharpness, ScoreStrip.sharpness(shape, 1));
            return;
        }
        for (int i = 0; i < QUERIES; i++) {
            int counted = shape.counted(query + Math.min(i, queries - 1), length);
            weights.sharpness[i] = ScoreStrip.sharpness(shape, shape.lengthFactor(counted));
            weights.cutoffs[i] = shape.cutoff(counted);
        }
    }

    /** Finds the maximum scores. Thresholded weights depend on the maximum of all keys, so keys are processed twice. */
    private void findMaximum(int query, int queries, int end, boolean causal) {
        for (int key = 0; key < end; key += QUERIES) {
            int keys = Math.min(QUERIES, end - key);
            int diagonal = causal ? query - key : AttentionProducts.UNMASKED;
            scores.compute(key, keys, diagonal);
            for (int lane = 0; lane < queries; lane += LANES) {
                mask(lane, keys, diagonal);
                weights.findMaximum(scores.strip, lane, AttentionProducts.end(keys, lane, diagonal));
            }
        }
    }

    private void weigh(int queries, int keys, int diagonal, Weighting weighting) {
        for (int lane = 0; lane < queries; lane += LANES) {
            int end = AttentionProducts.end(keys, lane, diagonal);
            mask(lane, keys, diagonal);
            switch (weighting) {
                case SOFTMAX -> weights.moveReference(scores.strip, lane, end);
                case HARDMAX -> weights.findMaximum(scores.strip, lane, end);
                // findMaximum has already seen all keys.
                case THRESHOLDED -> weights.moveReference(scores.strip, lane, 0);
                case UNIFORM -> throw new AssertionError("has no scores");
            }
            weights.weigh(weighting, scores.strip, lane, diagonal + lane + 1, end);
        }
    }

    private void mask(int lane, int keys, int diagonal) {
        AttentionProducts.mask(scores.strip, lane, keys, diagonal, Float.NEGATIVE_INFINITY);
    }

    private void rescale(int rows, int stride) {
        for (int r = 0; r < rows; r++) {
            FloatVector factor = FloatVector.broadcast(SPECIES, weights.factors[r]);
            for (int at = r * stride; at < (r + 1) * stride; at += LANES) {
                FloatVector.fromArray(SPECIES, sums, at).mul(factor).intoArray(sums, at);
            }
        }
    }

    /** Divides by the sums of weights, and writes the outputs and the saved values. */
    private void finish(AttentionOutputs outputs, float[] headAverages, AttentionUnit unit, int query, int rows) {
        AttentionShape shape = unit.shape();
        divide(rows, paddedWidth(shape.headWidth() + shape.identityWidth()));
        AttentionPacking.unpackHead(outputs.outputs(), unit, query, sums, rows);
        if (shape.identityWidth() > 0) {
            AttentionPacking.unpackTokens(headAverages, unit, query, sums, rows);
        }
        if (outputs.normalizers().length > 0) {
            saveNormalizers(outputs.normalizers(), unit, query, rows);
        }
        if (shape.savesMaxScores() && outputs.maxScores().length > 0) {
            for (int r = 0; r < rows; r++) {
                // If a score is NaN, the total is NaN, but the maximum is not, because NaN does not compare greater.
                boolean unordered = Float.isNaN(weights.totals[r]);
                outputs.maxScores()[unit.numberAt(query + r)] = unordered ? Float.NaN : weights.maximum[r];
            }
        }
    }

    /** Divides after adding 0, which turns -0 into +0: the sign of a sum that underflowed depends on masked values. */
    private void divide(int rows, int stride) {
        for (int r = 0; r < rows; r++) {
            FloatVector total = FloatVector.broadcast(SPECIES, weights.totals[r]);
            for (int at = r * stride; at < (r + 1) * stride; at += LANES) {
                FloatVector.fromArray(SPECIES, sums, at).add(0f).div(total).intoArray(sums, at);
            }
        }
    }

    private void saveNormalizers(float[] normalizers, AttentionUnit unit, int query, int rows) {
        for (int r = 0; r < rows; r++) {
            float total = weights.totals[r];
            normalizers[unit.numberAt(query + r)] = switch (unit.shape().weighting()) {
                // The reference was subtracted from the exponents, so it is added to the logarithm.
                case SOFTMAX -> (float) (LN_2 * weights.references[r] + Math.log(total));
                case THRESHOLDED, HARDMAX -> total;
                case UNIFORM -> throw new AssertionError("has no scores");
            };
        }
    }
}
