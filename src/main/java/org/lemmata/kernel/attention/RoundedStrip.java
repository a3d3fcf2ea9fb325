package org.lemmata.kernel.attention;

import static org.lemmata.kernel.attention.AttentionPacking.atLeast;
import static org.lemmata.kernel.attention.AttentionPacking.roundUp;
import static org.lemmata.kernel.attention.AttentionProducts.QUERIES;
import static org.lemmata.kernel.attention.TileAttention.LANES;
import static org.lemmata.kernel.attention.TileAttention.NARROW_ROWS;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.attention.AttentionShape.Mask;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.Quantization;
import org.lemmata.kernel.quantization.RoundedMultiplyAdd;
import org.lemmata.kernel.quantization.VectorQuantization;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/**
 * The rounded weights of a block of queries. A first pass computes the rounded scores of all visible keys and their
 * maximum; a second pass computes the weights, one block of keys at a time.
 *
 * <p>Rounded weights cannot be rescaled, so the maximum score of all keys must be known before the first weight. The
 * scores of all keys therefore stay in memory, one number per pair of query and key.
 */
final class RoundedStrip {

    /**
     * A site whose numbers are stored in strips. Deterministic rounding takes place while a block is copied from one
     * strip to another. Stochastic rounding processes all keys at once, because its random words are numbered from the
     * first key on.
     */
    static final class Site {

        private static final Quantization QUANTIZATION = new VectorQuantization(Workers.caller());

        private final Matrix ofTo = Matrix.empty();
        private final Matrix ofFrom = Matrix.empty();

        @Nullable
        Rounding rounding;

        boolean isStochastic() {
            return rounding != null && rounding.isStochastic();
        }

        /** Copies {@code keys} rows of a strip to another strip. Rounds them unless the rounding is stochastic. */
        void copy(float[] to, int toAt, float[] from, int fromAt, int keys) {
            if (rounding == null || rounding.isStochastic()) {
                System.arraycopy(from, fromAt, to, toAt, keys * QUERIES);
            } else {
                ofTo.at(to, toAt, keys, QUERIES, QUERIES);
                ofFrom.at(from, fromAt, keys, QUERIES, QUERIES);
                QUANTIZATION.round(ofTo, ofFrom, rounding, RoundingStreams.NONE);
            }
        }

        /** Rounds {@code keys} rows in place, unless the rounding is stochastic. */
        void round(float[] strip, int at, int keys) {
            if (rounding != null && !rounding.isStochastic()) {
                copy(strip, at, strip, at, keys);
            }
        }

        /** Rounds the rows of all keys in place, if the rounding is stochastic. */
        void roundAll(float[] strip, int keys, RandomStream stream) {
            if (rounding != null && rounding.isStochastic()) {
                ofTo.at(strip, keys, QUERIES);
                QUANTIZATION.round(ofTo, ofTo, rounding, stream);
            }
        }
    }

    /** The scores of a block of keys, then the weights of the block last passed to {@link #weigh}. */
    final ScoreStrip block = new ScoreStrip(true);

    private final AttentionWeights extremes = new AttentionWeights();
    final RoundedWeights weights = new RoundedWeights();

    /** The rounded products and sums; used only if {@link #sums} is not null. */
    final RoundedProducts products = new RoundedProducts();

    private final Site scoreSite = new Site();
    private final Site exponentialSite = new Site();

    /** The scores of all keys, then their weights, in the layout of {@link AttentionProducts}. */
    float[] scores = {};

    /** Null if sums are not rounded. */
    private @Nullable RoundedMultiplyAdd sums;

    private RandomStream stream = RoundingStreams.NONE;
    private AttentionShape shape = AttentionShape.PLAIN;
    private int query;
    private int queries;

    void setHead(RoundedAttention attention, AttentionUnit unit, int rows) {
        sums = attention.sums;
        stream = attention.stream;
        shape = unit.shape();
        scoreSite.rounding = attention.rounding.scores();
        exponentialSite.rounding = attention.rounding.exponentials();
        block.setHead(unit, rows);
        if (sums != null) {
            products.setHead(unit, rows);
        }
        scores = atLeast(scores, QUERIES * roundUp(rows, NARROW_ROWS));
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

    /** The stream for the pairs of the current block, as {@link RoundingStreams} defines it. */
    RandomStream blockStream(AttentionUnit unit, int part) {
        RandomStream site = stream.part(part);
        return new RandomStream(
                site.seed(), site.stream(), site.step() + ((long) unit.numberAt(query) << Integer.SIZE));
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

    /**
     * Computes the weights of all keys ({@link #scores}) and their sums in binary32. Called instead of {@link #weigh}.
     */
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

    void save(AttentionOutputs outputs, AttentionUnit unit) {
        for (int r = 0; r < queries; r++) {
            float factor = shape.lengthFactor(shape.counted(query + r, unit.length));
            int at = unit.numberAt(query + r);
            float total = weights.totals[r];
            float maximum = Float.isNaN(total) ? Float.NaN : extremes.maximum[r] + 0f;
            ScalarRows.save(outputs, at, maximum, total, factor, shape);
        }
    }
}
