package org.lemmata.kernel.feedforward;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.activation.ScalarActivation;
import org.lemmata.kernel.activation.VectorActivation;
import org.lemmata.kernel.arithmetic.Arithmetic;
import org.lemmata.kernel.arithmetic.ScalarArithmetic;
import org.lemmata.kernel.arithmetic.VectorArithmetic;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matmul.ScalarMatMul;
import org.lemmata.kernel.matmul.VectorMatMul;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.kernel.normalization.ScalarNormalization;
import org.lemmata.kernel.normalization.VectorNormalization;
import org.lemmata.kernel.thread.Workers;

/**
 * A feed-forward layer: y = f(norm(x W1 + b1)) W2 + b2 for each row x, with an activation f and, if the shape has one,
 * a normalization with gain and shift between the first linear map and the activation.
 *
 * <p>The layer is composed of products, a normalization and an activation; with scalar operations it is the scalar
 * reference. Rows are processed in blocks. With small weights, the intermediate values of a block stay in a cache, and
 * consecutive blocks form at most 32 chunks of {@link Workers}. Each chunk runs on one thread and sums its gradients of
 * parameters separately; these are then added in ascending order of the chunks. Large weights are packed again for each
 * block, so their blocks are larger than a cache and run one after the other. Each operation then divides its work
 * among the threads. Blocks and chunks depend only on shape and rows, so the bits are the same for every number of
 * threads. The rows of a bias gradient are added in the order of {@link Arithmetic}.
 *
 * <p>x, y, hidden values and weights must not overlap. A call allocates nothing once the scratch space of its threads
 * is large enough, as long as the shape stays the same.
 *
 * <p>Source: Vaswani et al. (2017), Attention is all you need, equation 2; with the inner normalization as FFN-LN in
 * Hayakawa and Sato (2024).
 */
public final class FeedForward {

    /** Up to this size, packing the weights for a block takes little time compared with multiplying by them. */
    private static final int MAX_SMALL_WEIGHTS = 1 << 15;

    /** The number of hidden values in a block: 256 KiB. Activations and gradients take another 256 to 512 KiB. */
    private static final int BLOCK_ELEMENTS = 1 << 16;

    private static final int MIN_BLOCK_ROWS = 64;

    /** Rows per block if weights are large. Packing the weights takes as long as multiplying about 30 rows. */
    private static final int BLOCK_ROWS_OF_GREAT_WEIGHTS = 2048;

    /** Enough for the threads of a machine. Each chunk needs scratch space for the gradients of the weights. */
    private static final int MAX_CHUNKS = 32;

    private static final ThreadLocal<FeedForwardCall> CALL = ThreadLocal.withInitial(FeedForwardCall::new);

    private final Workers workers;
    private final Operations shared;
    private final Operations alone;
    private final int blockElements;
    private final int blockRowsOfGreatWeights;

    record Operations(MatMul matMul, Normalization normalization, Activation activation, Arithmetic arithmetic) {}

    private FeedForward(
            Workers workers, Operations shared, Operations alone, int blockElements, int blockRowsOfGreatWeights) {
        this.workers = workers;
        this.shared = shared;
        this.alone = alone;
        this.blockElements = blockElements;
        this.blockRowsOfGreatWeights = blockRowsOfGreatWeights;
    }

    public static FeedForward scalar() {
        Operations operations = new Operations(
                new ScalarMatMul(), new ScalarNormalization(), new ScalarActivation(), new ScalarArithmetic());
        return new FeedForward(Workers.caller(), operations, operations, BLOCK_ELEMENTS, BLOCK_ROWS_OF_GREAT_WEIGHTS);
    }

    public static FeedForward vector(Workers workers) {
        return vector(workers, BLOCK_ELEMENTS, BLOCK_ROWS_OF_GREAT_WEIGHTS);
    }

    /** For tests. With small blocks, even small matrices have several blocks. */
    static FeedForward vector(Workers workers, int elements, int rowsOfGreatWeights) {
        return new FeedForward(
                workers, vectorOperations(workers), vectorOperations(Workers.caller()), elements, rowsOfGreatWeights);
    }

    private static Operations vectorOperations(Workers workers) {
        return new Operations(
                new VectorMatMul(workers),
                new VectorNormalization(workers),
                new VectorActivation(workers),
                new VectorArithmetic(workers));
    }

    /**
     * Overwrites {@code y} with the rows of the layer's output.
     *
     * @param saved written for a backward pass; null if no backward pass follows
     * @throws IllegalArgumentException if matrices do not fit the shape and the number of rows of x, or weights or
     *     hidden values have gaps between rows
     */
    public void forward(
            Matrix y, @Nullable FeedForwardSaved saved, Matrix x, FeedForwardWeights weights, FeedForwardShape shape) {
        int rows = x.rows();
        y.require("y", rows, shape.outputs());
        if (saved != null) {
            saved.check(shape, rows);
        }
        x.require("x", rows, shape.inputs());
        weights.check(false, shape);
        run(FeedForwardCall.NOTHING, null, y, saved, x, weights, shape);
    }

    /**
     * Overwrites {@code dx} with the gradient of x, and adds the gradients of the parameters to {@code dweights}.
     *
     * @param dx may be {@code dy} at the same offset if the layer has as many inputs as outputs
     * @param dweights gradients of the parameters of {@code weights}
     * @param saved the values that {@link #forward} wrote
     * @param x as passed to {@link #forward}
     * @throws IllegalArgumentException as in {@link #forward}
     */
    public void backward(
            Matrix dx,
            FeedForwardWeights dweights,
            Matrix dy,
            FeedForwardSaved saved,
            Matrix x,
            FeedForwardWeights weights,
            FeedForwardShape shape) {
        int rows = x.rows();
        dx.require("dx", rows, shape.inputs());
        dweights.check(true, shape);
        dy.require("dy", rows, shape.outputs());
        saved.check(shape, rows);
        x.require("x", rows, shape.inputs());
        weights.check(false, shape);
        run(dx, dweights, dy, saved, x, weights, shape);
    }

    private void run(
            Matrix dx,
            @Nullable FeedForwardWeights dweights,
            Matrix y,
            @Nullable FeedForwardSaved saved,
            Matrix x,
            FeedForwardWeights weights,
            FeedForwardShape shape) {
        FeedForwardCall call = CALL.get();
        call.dx = dx;
        call.dweights = dweights;
        call.y = y;
        call.saved = saved;
        call.x = x;
        call.weights = weights;
        call.shape = shape;
        call.rows = x.rows();
        boolean small = shape.weights() <= MAX_SMALL_WEIGHTS;
        call.blockRows = small ? Math.max(MIN_BLOCK_ROWS, blockElements / shape.hidden()) : blockRowsOfGreatWeights;
        int blocks = Math.ceilDiv(call.rows, call.blockRows);
        boolean divided = small && blocks > 1;
        call.operations = divided ? alone : shared;
        call.chunkRows = divided ? Math.ceilDiv(blocks, MAX_CHUNKS) * call.blockRows : call.rows;
        call.run(divided ? workers : null, shared.arithmetic());
    }
}
