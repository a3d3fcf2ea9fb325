package org.lemmata.kernel.loss;

import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

/**
 * On SIMD lanes and several threads, each row while the cache holds it.
 *
 * <p>Exponentials and their sums are those of {@link org.lemmata.kernel.elementary.RowExponentials}, in binary32: a
 * row's loss is off by at most (n / lanes + 16) 2^-24 of itself or of 1, whichever is less, not counting what the
 * rounding of z - max contributes. Logarithms and the total are in binary64: rows are added in ascending order within a
 * chunk, then chunks in ascending order. Chunks are cut by the numbers of scored rows and columns, so that the bits are
 * the same for every number of threads, in forward and in backward. A loss below 2^-126 is 0.
 *
 * <p>A call allocates nothing once its thread's working space has grown to the sizes it uses.
 */
public final class VectorSoftmaxCrossEntropy implements SoftmaxCrossEntropy {

    /** About 5 microseconds, so that 20 keep two threads busy. */
    private static final int MIN_CHUNK_ELEMENTS = 1 << 13;

    private static final ThreadLocal<ScoredRows> CALL = ThreadLocal.withInitial(ScoredRows::new);

    private final Workers workers;

    private final int minChunkElements;

    public VectorSoftmaxCrossEntropy(Workers workers) {
        this(workers, MIN_CHUNK_ELEMENTS);
    }

    /** For tests: small chunks give small batches several. */
    VectorSoftmaxCrossEntropy(Workers workers, int minChunkElements) {
        this.workers = workers;
        this.minChunkElements = minChunkElements;
    }

    @Override
    public double forward(Matrix logits, int[] targets, int[] scoredRows, double factor) {
        SoftmaxCrossEntropy.check(logits, targets, scoredRows);
        ScoredRows call = CALL.get();
        call.gradient = false;
        return run(call, logits, targets, scoredRows, factor);
    }

    @Override
    public double backward(Matrix dlogits, Matrix logits, int[] targets, int[] scoredRows, double factor) {
        dlogits.require("dlogits", logits.rows(), logits.columns());
        SoftmaxCrossEntropy.check(logits, targets, scoredRows);
        ScoredRows call = CALL.get();
        call.gradient = true;
        call.dlogits = dlogits;
        return run(call, logits, targets, scoredRows, factor);
    }

    private double run(ScoredRows call, Matrix logits, int[] targets, int[] scoredRows, double factor) {
        call.logits = logits;
        call.targets = targets;
        call.scoredRows = scoredRows;
        call.factor = factor;
        call.chunkRows = Math.ceilDiv(minChunkElements, Math.max(1, logits.columns()));
        // Without a scored row, one chunk is left to clear the gradient.
        int chunks = Math.max(1, Math.ceilDiv(targets.length, call.chunkRows));
        call.reserve(chunks);
        workers.run(chunks, call);
        double loss = call.sum(chunks);
        call.clear();
        return factor * loss;
    }
}
