package org.lemmata.kernel.feedforward;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.activation.ScalarActivation;
import org.lemmata.kernel.activation.VectorActivation;
import org.lemmata.kernel.arithmetic.Arithmetic;
import org.lemmata.kernel.arithmetic.ScalarArithmetic;
import org.lemmata.kernel.arithmetic.VectorArithmetic;
import org.lemmata.kernel.elementary.Extents;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matmul.ScalarMatMul;
import org.lemmata.kernel.matmul.VectorMatMul;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.kernel.normalization.ScalarNormalization;
import org.lemmata.kernel.normalization.VectorNormalization;
import org.lemmata.kernel.thread.Workers;

/**
 * y = f(norm(x W1 + b1)) W2 + b2 for each row x, with an activation f and, if the shape has one, a normalization with
 * gain and shift between the first map and the activation.
 *
 * <p>It is nothing but the composition of a product, a normalization and an activation: with scalar ones it is the
 * scalar reference. Rows are taken in blocks. With small weights what lies between the maps of a block stays in a
 * cache, and some blocks in a row are a chunk of {@link Workers}, of which there are at most 32: each is one thread's,
 * and its gradients of parameters are summed aside and added in ascending order of the chunks. Great weights are packed
 * anew for each block, so that their blocks are greater than a cache and follow each other, and the operations in them
 * share their work among the threads. Blocks and chunks are cut by shape and rows alone, so that the bits are the same
 * for every number of threads. The rows of a bias gradient are added in the order of {@link Arithmetic}.
 *
 * <p>x, y, hidden values and weights must not overlap. A call allocates nothing once its threads' working space has
 * grown to the sizes that it uses, as long as shape and places stay the same.
 *
 * <p>Source: Vaswani et al. (2017), Attention is all you need, equation 2; with the inner normalization as FFN-LN in
 * Hayakawa and Sato (2024).
 */
public final class FeedForward {

    /** Up to here a block packs its weights in a small part of the time that it multiplies by them. */
    private static final int MAX_SMALL_WEIGHTS = 1 << 15;

    /** 256 KiB of hidden values: with what they become, half of a second-level cache. */
    private static final int BLOCK_ELEMENTS = 1 << 16;

    private static final int MIN_BLOCK_ROWS = 64;

    /** Packing great weights takes as long as multiplying some 30 rows by them. */
    private static final int BLOCK_ROWS_OF_GREAT_WEIGHTS = 2048;

    /** Enough for the threads of a machine; each costs working space as great as the small weights. */
    private static final int MAX_CHUNKS = 32;

    private static final FeedForwardPlaces.Names PARAMETERS = FeedForwardPlaces.Names.of("parameters");

    private static final FeedForwardPlaces.Names GRADIENTS = FeedForwardPlaces.Names.of("dparameters");

    private static final ThreadLocal<Call> CALL = ThreadLocal.withInitial(Call::new);

    private static final ThreadLocal<Block> BLOCK = ThreadLocal.withInitial(Block::new);

    private final Workers workers;
    private final Operations shared;
    private final Operations alone;
    private final int blockElements;
    private final int blockRowsOfGreatWeights;

    /**
     * What the layer is composed of.
     *
     * @param matMul the product of both maps and of their gradients
     * @param normalization between them
     * @param activation after it
     * @param arithmetic the gradients of biases, and the sum of what was summed aside
     */
    private record Operations(
            MatMul matMul, Normalization normalization, Activation activation, Arithmetic arithmetic) {}

    private FeedForward(
            Workers workers, Operations shared, Operations alone, int blockElements, int blockRowsOfGreatWeights) {
        this.workers = workers;
        this.shared = shared;
        this.alone = alone;
        this.blockElements = blockElements;
        this.blockRowsOfGreatWeights = blockRowsOfGreatWeights;
    }

    /** The reference. */
    public static FeedForward scalar() {
        Operations operations = new Operations(
                new ScalarMatMul(), new ScalarNormalization(), new ScalarActivation(), new ScalarArithmetic());
        return new FeedForward(Workers.caller(), operations, operations, BLOCK_ELEMENTS, BLOCK_ROWS_OF_GREAT_WEIGHTS);
    }

    /** On SIMD lanes, on the calling thread alone. */
    public static FeedForward vector() {
        return vector(Workers.caller());
    }

    /** On SIMD lanes. */
    public static FeedForward vector(Workers workers) {
        return vector(workers, BLOCK_ELEMENTS, BLOCK_ROWS_OF_GREAT_WEIGHTS);
    }

    /** For tests: small blocks give small matrices several. */
    static FeedForward vector(Workers workers, int blockElements, int blockRowsOfGreatWeights) {
        return new FeedForward(
                workers,
                vectorOperations(workers),
                vectorOperations(Workers.caller()),
                blockElements,
                blockRowsOfGreatWeights);
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
     * @param hidden rows x hidden elements to write, x W1 + b1, or null if no backward pass follows
     * @param statistics {@code rows * shape.statistics()} elements to write, or null if no backward pass follows or
     *     nothing is normalized
     * @param parameters the array in which {@code places} point
     * @throws IllegalArgumentException if something does not lie within its array
     */
    public void forward(
            float[] y,
            int yOffset,
            int yStride,
            float @Nullable [] hidden,
            int hiddenOffset,
            float @Nullable [] statistics,
            int statisticsOffset,
            float[] x,
            int xOffset,
            int xStride,
            float[] parameters,
            FeedForwardPlaces places,
            FeedForwardShape shape,
            int rows) {
        Extents.checkMatrix("y", y, yOffset, yStride, rows, shape.outputs());
        Extents.checkMatrix("x", x, xOffset, xStride, rows, shape.inputs());
        if (hidden != null) {
            Extents.checkMatrix("hidden", hidden, hiddenOffset, shape.hidden(), rows, shape.hidden());
        }
        if (statistics != null) {
            Extents.checkMatrix(
                    "statistics", statistics, statisticsOffset, shape.statistics(), rows, shape.statistics());
        }
        places.check(PARAMETERS, parameters, shape);
        Call call = CALL.get();
        call.backward = false;
        call.y = y;
        call.yOffset = yOffset;
        call.yStride = yStride;
        call.hidden = hidden;
        call.hiddenOffset = hiddenOffset;
        call.statistics = statistics;
        call.statisticsOffset = statisticsOffset;
        call.x = x;
        call.xOffset = xOffset;
        call.xStride = xStride;
        call.parameters = parameters;
        call.places = places;
        run(call, shape, rows);
    }

    /**
     * Overwrites {@code dx} with dy W2ᵀ, through activation and normalization, times W1ᵀ; adds the gradients of the
     * parameters to what {@code dparameters} has at their places.
     *
     * @param dx may be {@code dy} at the same place if the layer has as many inputs as outputs
     * @param hidden what {@link #forward} left there
     * @param statistics what {@link #forward} left there; may be null if nothing is normalized
     * @param x the rows that were given to {@link #forward}
     * @throws IllegalArgumentException if something does not lie within its array
     */
    public void backward(
            float[] dx,
            int dxOffset,
            int dxStride,
            float[] dparameters,
            float[] dy,
            int dyOffset,
            int dyStride,
            float[] hidden,
            int hiddenOffset,
            float @Nullable [] statistics,
            int statisticsOffset,
            float[] x,
            int xOffset,
            int xStride,
            float[] parameters,
            FeedForwardPlaces places,
            FeedForwardShape shape,
            int rows) {
        Extents.checkMatrix("dx", dx, dxOffset, dxStride, rows, shape.inputs());
        Extents.checkMatrix("dy", dy, dyOffset, dyStride, rows, shape.outputs());
        Extents.checkMatrix("hidden", hidden, hiddenOffset, shape.hidden(), rows, shape.hidden());
        if (shape.normalization() != null && statistics == null) {
            throw new IllegalArgumentException("statistics: expected those of the forward pass, got none");
        }
        if (statistics != null) {
            Extents.checkMatrix(
                    "statistics", statistics, statisticsOffset, shape.statistics(), rows, shape.statistics());
        }
        Extents.checkMatrix("x", x, xOffset, xStride, rows, shape.inputs());
        places.check(PARAMETERS, parameters, shape);
        places.check(GRADIENTS, dparameters, shape);
        Call call = CALL.get();
        call.backward = true;
        call.dx = dx;
        call.dxOffset = dxOffset;
        call.dxStride = dxStride;
        call.dparameters = dparameters;
        call.y = dy;
        call.yOffset = dyOffset;
        call.yStride = dyStride;
        call.hidden = hidden;
        call.hiddenOffset = hiddenOffset;
        call.statistics = statistics;
        call.statisticsOffset = statisticsOffset;
        call.x = x;
        call.xOffset = xOffset;
        call.xStride = xStride;
        call.parameters = parameters;
        call.places = places;
        run(call, shape, rows);
    }

    private void run(Call call, FeedForwardShape shape, int rows) {
        boolean small = shape.weights() <= MAX_SMALL_WEIGHTS;
        call.shape = shape;
        call.rows = rows;
        call.blockRows = small ? Math.max(MIN_BLOCK_ROWS, blockElements / shape.hidden()) : blockRowsOfGreatWeights;
        int blocks = Math.ceilDiv(rows, call.blockRows);
        try {
            if (small && blocks > 1) {
                call.operations = alone;
                call.chunkRows = Math.ceilDiv(blocks, MAX_CHUNKS) * call.blockRows;
                int chunks = Math.ceilDiv(rows, call.chunkRows);
                call.sumAside(chunks);
                workers.run(chunks, call);
                call.addSums(chunks, shared.arithmetic());
            } else {
                call.operations = shared;
                call.chunkRows = rows;
                call.sumInPlace();
                if (rows > 0) {
                    call.run(0);
                }
            }
        } finally {
            call.clear();
        }
    }

    /** The arguments of a call, for the threads that take its blocks. */
    private static final class Call implements Workers.Chunks {

        private static final float[] NONE = {};
        private static final FeedForwardPlaces NOWHERE = new FeedForwardPlaces(0, 0, 0, 0, 0, 0);
        private static final FeedForwardShape NO_SHAPE = new FeedForwardShape(1, 1, 1, Activation.Kind.RELU);

        private boolean backward;
        private float[] y = NONE;
        private int yOffset;
        private int yStride;
        private float[] dx = NONE;
        private int dxOffset;
        private int dxStride;
        private float[] dparameters = NONE;
        private float @Nullable [] hidden;
        private int hiddenOffset;
        private float @Nullable [] statistics;
        private int statisticsOffset;
        private float[] x = NONE;
        private int xOffset;
        private int xStride;
        private float[] parameters = NONE;
        private FeedForwardPlaces places = NOWHERE;
        private FeedForwardShape shape = NO_SHAPE;
        private @Nullable Operations operations;
        private int rows;
        private int blockRows;

        /** Rows of a chunk, a multiple of those of a block unless the chunk is the only one. */
        private int chunkRows;

        private boolean aside;

        /** One set of gradients a chunk, if they are summed aside. */
        private float[] sums = NONE;

        /** Where in {@link #sums} each chunk adds; kept as long as it fits the calls. */
        private FeedForwardPlaces[] sumPlaces = {};

        private FeedForwardPlaces sumPlacesOf = NOWHERE;
        private FeedForwardShape sumShape = NO_SHAPE;
        private int sumSize;

        void sumInPlace() {
            aside = false;
        }

        void sumAside(int chunks) {
            aside = true;
            if (!backward) {
                return;
            }
            if (sumPlaces.length < chunks || !sumPlacesOf.equals(places) || !sumShape.equals(shape)) {
                sumSize = places.size(shape);
                FeedForwardPlaces packed = places.packed(shape);
                sumPlaces = new FeedForwardPlaces[chunks];
                for (int chunk = 0; chunk < chunks; chunk++) {
                    sumPlaces[chunk] = packed.from(chunk * sumSize);
                }
                sumPlacesOf = places;
                sumShape = shape;
            }
            if (sums.length < chunks * sumSize) {
                sums = new float[chunks * sumSize];
            } else {
                Arrays.fill(sums, 0, chunks * sumSize, 0);
            }
        }

        void addSums(int chunks, Arithmetic arithmetic) {
            if (!backward) {
                return;
            }
            for (int chunk = 0; chunk < chunks; chunk++) {
                FeedForwardPlaces from = sumPlaces[chunk];
                int first = shape.inputs() * shape.hidden();
                int second = shape.hidden() * shape.outputs();
                add(arithmetic, places.firstWeights(), from.firstWeights(), first);
                add(arithmetic, places.firstBias(), from.firstBias(), shape.hidden());
                add(arithmetic, places.gain(), from.gain(), shape.hidden());
                add(arithmetic, places.shift(), from.shift(), shape.hidden());
                add(arithmetic, places.secondWeights(), from.secondWeights(), second);
                add(arithmetic, places.secondBias(), from.secondBias(), shape.outputs());
            }
        }

        private void add(Arithmetic arithmetic, int place, int from, int length) {
            if (place != FeedForwardPlaces.ABSENT) {
                arithmetic.addInto(dparameters, place, sums, from, length);
            }
        }

        void clear() {
            y = NONE;
            dx = NONE;
            dparameters = NONE;
            hidden = null;
            statistics = null;
            x = NONE;
            parameters = NONE;
            operations = null;
        }

        @Override
        public void run(int chunk) {
            Operations composed = Objects.requireNonNull(operations);
            Block block = BLOCK.get();
            int start = chunk * chunkRows;
            int end = start + Math.min(chunkRows, rows - start);
            for (int row = start; row < end; row += Math.min(blockRows, end - row)) {
                int size = Math.min(blockRows, end - row);
                if (!backward) {
                    block.forward(this, composed, row, size);
                } else if (aside) {
                    block.backward(this, composed, sums, sumPlaces[chunk], row, size);
                } else {
                    block.backward(this, composed, dparameters, places, row, size);
                }
            }
        }
    }

    /** A thread's working space for the rows of a block. */
    private static final class Block {

        private float[] hidden = {};
        private float[] active = {};

        private static float[] grown(float[] space, int elements) {
            return space.length < elements ? new float[elements] : space;
        }

        void forward(Call call, Operations operations, int row, int rows) {
            FeedForwardShape shape = call.shape;
            int width = shape.hidden();
            active = grown(active, rows * width);
            float[] kept = call.hidden;
            int keptAt = 0;
            if (kept == null) {
                hidden = grown(hidden, rows * width);
                kept = hidden;
            } else {
                keptAt = call.hiddenOffset + row * width;
            }
            multiply(
                    operations.matMul(),
                    kept,
                    keptAt,
                    width,
                    call.x,
                    call.xOffset + row * call.xStride,
                    call.xStride,
                    call.parameters,
                    call.places.firstWeights(),
                    call.places.firstBias(),
                    rows,
                    width,
                    shape.inputs());
            if (shape.normalization() == null) {
                operations.activation().forwardInto(shape.activation(), active, 0, kept, keptAt, rows * width);
            } else {
                normalize(call, operations, active, call.statistics, kept, keptAt, row, rows);
                operations.activation().forwardInto(shape.activation(), active, 0, active, 0, rows * width);
            }
            multiply(
                    operations.matMul(),
                    call.y,
                    call.yOffset + row * call.yStride,
                    call.yStride,
                    active,
                    0,
                    width,
                    call.parameters,
                    call.places.secondWeights(),
                    call.places.secondBias(),
                    rows,
                    shape.outputs(),
                    width);
        }

        private static void multiply(
                MatMul matMul,
                float[] c,
                int cAt,
                int cStride,
                float[] a,
                int aAt,
                int aStride,
                float[] parameters,
                int weights,
                int bias,
                int m,
                int n,
                int k) {
            if (bias == FeedForwardPlaces.ABSENT) {
                matMul.multiply(
                        MatMul.Form.NN, false, c, cAt, cStride, a, aAt, aStride, parameters, weights, n, m, n, k);
            } else {
                matMul.multiplyAddBias(
                        MatMul.Form.NN,
                        c,
                        cAt,
                        cStride,
                        a,
                        aAt,
                        aStride,
                        parameters,
                        weights,
                        n,
                        parameters,
                        bias,
                        m,
                        n,
                        k);
            }
        }

        private static void normalize(
                Call call,
                Operations operations,
                float[] y,
                float @Nullable [] statistics,
                float[] kept,
                int keptAt,
                int row,
                int rows) {
            FeedForwardShape shape = call.shape;
            int width = shape.hidden();
            operations
                    .normalization()
                    .forward(
                            y,
                            0,
                            width,
                            statistics,
                            call.statisticsOffset + row * shape.statistics(),
                            kept,
                            keptAt,
                            width,
                            presentOrNull(call.parameters, call.places.gain()),
                            call.places.gain(),
                            presentOrNull(call.parameters, call.places.shift()),
                            call.places.shift(),
                            Objects.requireNonNull(shape.normalization()),
                            shape.epsilon(),
                            rows,
                            width);
        }

        private static float @Nullable [] presentOrNull(float[] data, int place) {
            return place == FeedForwardPlaces.ABSENT ? null : data;
        }

        /** What the activation made of the hidden values, and what it was given, is computed again. */
        void backward(Call call, Operations operations, float[] sums, FeedForwardPlaces at, int row, int rows) {
            FeedForwardShape shape = call.shape;
            MatMul matMul = operations.matMul();
            Activation activation = operations.activation();
            int width = shape.hidden();
            int outputs = shape.outputs();
            int dyAt = call.yOffset + row * call.yStride;
            float[] kept = Objects.requireNonNull(call.hidden);
            int keptAt = call.hiddenOffset + row * width;
            float[] given = kept;
            int givenAt = keptAt;
            active = grown(active, rows * width);
            if (shape.normalization() != null) {
                hidden = grown(hidden, rows * width);
                given = hidden;
                givenAt = 0;
                normalize(call, operations, given, null, kept, keptAt, row, rows);
            }
            activation.forwardInto(shape.activation(), active, 0, given, givenAt, rows * width);
            matMul.multiply(
                    MatMul.Form.TN,
                    true,
                    sums,
                    at.secondWeights(),
                    outputs,
                    active,
                    0,
                    width,
                    call.y,
                    dyAt,
                    call.yStride,
                    width,
                    outputs,
                    rows);
            addRows(operations.arithmetic(), sums, at.secondBias(), call.y, dyAt, call.yStride, rows, outputs);
            matMul.multiply(
                    MatMul.Form.NT,
                    false,
                    active,
                    0,
                    width,
                    call.y,
                    dyAt,
                    call.yStride,
                    call.parameters,
                    call.places.secondWeights(),
                    outputs,
                    rows,
                    width,
                    outputs);
            activation.backwardInto(shape.activation(), active, 0, active, 0, given, givenAt, rows * width);
            if (shape.normalization() != null) {
                denormalize(call, operations, sums, at, kept, keptAt, row, rows);
            }
            addRows(operations.arithmetic(), sums, at.firstBias(), active, 0, width, rows, width);
            int inputs = shape.inputs();
            matMul.multiply(
                    MatMul.Form.TN,
                    true,
                    sums,
                    at.firstWeights(),
                    width,
                    call.x,
                    call.xOffset + row * call.xStride,
                    call.xStride,
                    active,
                    0,
                    width,
                    inputs,
                    width,
                    rows);
            matMul.multiply(
                    MatMul.Form.NT,
                    false,
                    call.dx,
                    call.dxOffset + row * call.dxStride,
                    call.dxStride,
                    active,
                    0,
                    width,
                    call.parameters,
                    call.places.firstWeights(),
                    width,
                    rows,
                    inputs,
                    width);
        }

        private void denormalize(
                Call call,
                Operations operations,
                float[] sums,
                FeedForwardPlaces at,
                float[] kept,
                int keptAt,
                int row,
                int rows) {
            FeedForwardShape shape = call.shape;
            int width = shape.hidden();
            operations
                    .normalization()
                    .backward(
                            active,
                            0,
                            width,
                            presentOrNull(sums, at.gain()),
                            at.gain(),
                            presentOrNull(sums, at.shift()),
                            at.shift(),
                            active,
                            0,
                            width,
                            Objects.requireNonNull(call.statistics),
                            call.statisticsOffset + row * shape.statistics(),
                            kept,
                            keptAt,
                            width,
                            presentOrNull(call.parameters, call.places.gain()),
                            call.places.gain(),
                            Objects.requireNonNull(shape.normalization()),
                            rows,
                            width);
        }

        private static void addRows(
                Arithmetic arithmetic,
                float[] sums,
                int place,
                float[] a,
                int aAt,
                int aStride,
                int rows,
                int columns) {
            if (place != FeedForwardPlaces.ABSENT) {
                arithmetic.addRowsInto(sums, place, a, aAt, aStride, rows, columns);
            }
        }
    }
}
