package org.lemmata.kernel.attention.rounded;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.roundUp;
import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;
import static org.lemmata.kernel.attention.TileAttention.LANES;
import static org.lemmata.kernel.attention.TileAttention.NARROW_ROWS;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionProducts;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.attention.AttentionUnit;
import org.lemmata.kernel.attention.AttentionWeights;
import org.lemmata.kernel.attention.ScalarRows;
import org.lemmata.kernel.attention.ScoreStrip;
import org.lemmata.kernel.quantization.RoundedMultiplyAdd;
import org.lemmata.random.RandomStream;

/**
 * The rounded weights of a block of queries. A first pass computes the rounded scores of all visible keys and their
 * maximum; a second pass computes the weights, one block of keys at a time.
 *
 * <p>Rounded weights cannot be rescaled, so the maximum score of all keys must be known before the first weight. The
 * scores of all keys therefore stay in memory, one number per pair of query and key.
 */
final class RoundedStrip {

    private final ScoreStrip block = new ScoreStrip(true);
    private final AttentionWeights extremes = new AttentionWeights();
    final RoundedWeights weights = new RoundedWeights();
    private final RoundedProducts products = new RoundedProducts();
    private final StripRounding scoreSite = new StripRounding();
    private final StripRounding exponentialSite = new StripRounding();

    /** The scores of all keys, then their weights, in the layout of {@link AttentionProducts}. */
    private float[] scores = {};

    private @Nullable RoundedMultiplyAdd sums;
    private RandomStream stream = RoundingStreams.NONE;
    private AttentionShape shape = AttentionShape.PLAIN;
    private int query;
    private int queries;

    void setHead(
            AttentionRounding rounding,
            @Nullable RoundedMultiplyAdd newSums,
            RandomStream newStream,
            AttentionUnit unit,
            int rows) {
        sums = newSums;
        stream = newStream;
        shape = unit.shape();
        scoreSite.set(rounding.scores());
        exponentialSite.set(rounding.exponentials());
        block.setHead(unit, rows);
        if (sums != null) {
            products.setHead(unit, rows);
        }
        scores = atLeast(scores, QUERIES * roundUp(rows, NARROW_ROWS));
    }

    void release() {
        products.release();
    }

    /**
     * Computes the scores of {@code count} queries from {@code newQuery} on, which together see {@code end} keys. If
     * exponentials are rounded stochastically, also computes the weights.
     */
    void score(AttentionUnit unit, int newQuery, int count, int end) {
        query = newQuery;
        queries = count;
        block.setQueries(unit, query, queries);
        weights.start(unit, query, queries);
        if (sums != null) {
            products.setQueries(unit, query, queries);
        }
        for (int key = 0; key < end; key += QUERIES) {
            int keys = Math.min(QUERIES, end - key);
            if (sums != null) {
                products.scores(block.strip, key, keys, queries, diagonal(key), sums);
                block.scale(key, keys);
            } else {
                block.compute(key, keys, diagonal(key));
            }
            scoreSite.copy(scores, key * QUERIES, block.strip, 0, keys);
        }
        if (scoreSite.isStochastic()) {
            scoreSite.roundAll(scores, end, blockStream(unit, RoundingStreams.SCORES));
        }
        extremes.start();
        for (int lane = 0; lane < queries; lane += LANES) {
            AttentionProducts.mask(scores, lane, end, diagonal(0), Float.NEGATIVE_INFINITY);
            extremes.findMaximum(scores, lane, AttentionProducts.end(end, lane, diagonal(0)));
        }
        if (exponentialSite.isStochastic()) {
            for (int key = 0; key < end; key += QUERIES) {
                exponentiate(key, Math.min(QUERIES, end - key));
            }
            exponentialSite.roundAll(scores, end, blockStream(unit, RoundingStreams.EXPONENTIALS));
        }
    }

    int diagonal(int key) {
        return shape.mask() == Mask.CAUSAL ? query - key : AttentionProducts.UNMASKED;
    }

    RandomStream blockStream(AttentionUnit unit, int part) {
        return RoundingStreams.block(stream, part, unit.row(query), unit.head(), shape);
    }

    /**
     * Computes the weights of {@code keys} keys from {@code key} on. Must be called once per block, in ascending order.
     */
    void weigh(int key, int keys) {
        if (!exponentialSite.isStochastic()) {
            exponentiate(key, keys);
        }
        exponentialSite.copy(block.strip, 0, scores, key * QUERIES, keys);
        for (int lane = 0; lane < queries && sums == null; lane += LANES) {
            weights.addToTotals(block.strip, lane, AttentionProducts.end(keys, lane, diagonal(key)));
        }
    }

    /** Computes the weights of all keys ({@link #all}) and their sums in binary32. Called instead of {@link #weigh}. */
    void weighAll(int end) {
        for (int key = 0; key < end && !exponentialSite.isStochastic(); key += QUERIES) {
            int keys = Math.min(QUERIES, end - key);
            exponentiate(key, keys);
            exponentialSite.round(scores, key * QUERIES, keys);
        }
        for (int lane = 0; lane < queries; lane += LANES) {
            weights.addToTotals(scores, lane, AttentionProducts.end(end, lane, diagonal(0)));
        }
    }

    /** Divides the weights of all keys by their sums, and sets masked weights to 0. */
    void divide(int end) {
        for (int lane = 0; lane < queries; lane += LANES) {
            RoundedWeights.divide(scores, lane, AttentionProducts.end(end, lane, diagonal(0)), weights.totals);
            AttentionProducts.mask(scores, lane, end, diagonal(0), 0);
        }
    }

    float[] all() {
        return scores;
    }

    /** The rounded products and sums; used only if {@code sums} is not null. */
    RoundedProducts products() {
        return products;
    }

    private void exponentiate(int key, int keys) {
        int at = key * QUERIES;
        int diagonal = diagonal(key);
        for (int lane = 0; lane < queries; lane += LANES) {
            int end = AttentionProducts.end(keys, lane, diagonal);
            switch (shape.weighting()) {
                case SOFTMAX -> weights.softmax(scores, at, lane, end, extremes.maximum);
                case THRESHOLDED -> weights.thresholded(scores, at, lane, end, extremes.maximum);
                case HARDMAX -> weights.hardmax(scores, at, lane, diagonal + lane + 1, end, extremes.maximum);
                case UNIFORM -> throw new AssertionError("has no scores");
            }
        }
    }

    /**
     * The weights of the block last passed to {@link #weigh}. If sums are rounded, {@link #products} computes their
     * sums.
     */
    float[] weights() {
        return block.strip;
    }

    float[] totals() {
        return weights.totals;
    }

    void save(AttentionOutputs outputs, AttentionUnit unit) {
        for (int r = 0; r < queries; r++) {
            float factor = shape.lengthFactor(shape.counted(query + r, unit.length()));
            int at = unit.numberAt(query + r);
            float total = weights.totals[r];
            float maximum = Float.isNaN(total) ? Float.NaN : extremes.maximum[r] + 0f;
            ScalarRows.save(outputs, at, maximum, total, factor, shape);
        }
    }
}
