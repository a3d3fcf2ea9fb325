package org.lemmata.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.cached.AttentionCache;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.embedding.EmbeddingShape;
import org.lemmata.kernel.feedforward.FeedForwardSaved;
import org.lemmata.kernel.feedforward.FeedForwardShape;
import org.lemmata.kernel.feedforward.FeedForwardWeights;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.GainAndShift;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.optimizer.Coefficients;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/**
 * A small call of every method of every operation, except default methods, on normally distributed numbers. The scalar
 * reference gives the expected result; tests compare the reference with binary64.
 */
final class SelfCheckProbes {

    /**
     * Minimum speed-up for the fastest kernels, such as matrix products, attention, dropout and stochastic rounding.
     * 128-bit vectors exceed it.
     */
    static final double FASTER = 3;

    /** Minimum speed-up for kernels with less work per element. Measured: 2.9 to 5; below 1 before compilation. */
    static final double SOMEWHAT_FASTER = 1.5;

    /** Minimum speed-up for products that read each number once. */
    static final double A_LITTLE_FASTER = 1.1;

    /**
     * Minimum speed-up if C2 also vectorizes the reference. C2 uses the widest vectors even if {@link Species#PROPERTY}
     * sets narrower ones. Measured: 0.5 to 4; 0.02 before compilation.
     */
    private static final double ALIKE = 0.3;

    /**
     * The maximum difference from the reference, relative to the largest number of the result. Rounding errors of
     * binary32 are well below this; a number from a wrong index is not.
     */
    private static final double TOLERANCE = 256 * 0x1p-23;

    /** Not a multiple of any number of lanes, so that the code for remaining elements also runs. */
    private static final int ELEMENTS = 1027;

    private final List<SelfCheck.Probe> probes = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(1);

    private SelfCheckProbes() {}

    static List<SelfCheck.Probe> all() {
        var all = new SelfCheckProbes();
        all.addEmbedding(64, 64, 16);
        all.addNormalization(48, 48);
        all.addProducts(32);
        all.addAttention(64, 32);
        all.addActivation();
        all.addFeedForward(24, 32, 64);
        all.addRounding();
        all.addArithmetic(64);
        all.addLosses(4, 256);
        all.addOptimizer();
        return all.probes;
    }

    private void addEmbedding(int length, int width, int vocabulary) {
        var shape = new EmbeddingShape(vocabulary, width, EmbeddingShape.Positions.TABLE, length, 1);
        RaggedOffsets sequences = RaggedOffsets.ofLengths(new int[] {length});
        int[] ids = random.ints(length, 0, vocabulary).toArray();
        Matrix tokens = numbers(vocabulary, width);
        Matrix positions = numbers(length, width);
        Matrix y = numbers(length, width);
        add("embedding.forward", "embedding", SOMEWHAT_FASTER, y.array(), kernels -> {
            kernels.embedding().forward(y, ids, sequences, tokens, positions, shape);
        });
        Matrix dy = numbers(length, width);
        float[] gradients = new float[(vocabulary + length) * width];
        Matrix dTokens = Matrix.of(gradients, vocabulary, width);
        Matrix dPositions = Matrix.of(gradients, vocabulary * width, length, width, width);
        add("embedding.backward", "embedding, backward", SOMEWHAT_FASTER, gradients, kernels -> {
            Arrays.fill(gradients, 0);
            kernels.embedding().backward(dTokens, dPositions, dy, ids, sequences, shape);
        });
    }

    private void addNormalization(int rows, int columns) {
        Normalization.Kind kind = Normalization.Kind.LAYER;
        String name = "layer normalization";
        Matrix x = numbers(rows, columns);
        Matrix y = numbers(rows, columns);
        Matrix statistics = numbers(rows, kind.statistics());
        var parameters = new GainAndShift(numbers(1, columns), numbers(1, columns));
        add("normalization.forward", name, SOMEWHAT_FASTER, y.array(), kernels -> {
            kernels.normalization().forward(y, statistics, x, parameters, kind, 1e-5f);
        });
        Matrix dy = numbers(rows, columns);
        int size = rows * columns;
        float[] gradients = new float[size + 2 * columns];
        Matrix dx = Matrix.of(gradients, rows, columns);
        var dparameters =
                new GainAndShift(Matrix.row(gradients, size, columns), Matrix.row(gradients, size + columns, columns));
        add("normalization.backward", name + ", backward", SOMEWHAT_FASTER, gradients, kernels -> {
            Arrays.fill(gradients, size, gradients.length, 0);
            kernels.normalization().backward(dx, dparameters, dy, statistics, x, parameters, kind);
        });
    }

    private void addProducts(int size) {
        MatMul.Form form = MatMul.Form.NN;
        String name = "matrix product " + size + "³";
        Matrix a = numbers(size, size);
        Matrix b = numbers(size, size);
        Matrix bias = numbers(1, size);
        Matrix c = numbers(size, size);
        add("matMul.multiply", name, FASTER, c.array(), kernels -> {
            kernels.matMul().multiply(form, false, c, a, b);
        });
        add("matMul.multiplyAddBias", name + " with bias", FASTER, c.array(), kernels -> {
            kernels.matMul().multiplyAddBias(form, c, a, b, bias);
        });
    }

    /** Adds probes with one head. Without a cache there is one sequence; with a cache, four of lengths 64, 63, ... */
    private void addAttention(int length, int width) {
        AttentionShape shape = AttentionShape.softmax(1, width).withScoreScale(0.125f);
        RaggedOffsets sequences = RaggedOffsets.ofLengths(new int[] {length});
        int size = length * width;
        AttentionInputs x = AttentionInputs.of(numbers(size), numbers(size), numbers(size));
        AttentionOutputs saved = AttentionOutputs.zeros(sequences, shape);
        AttentionOutputs unsaved = AttentionOutputs.of(new float[size]);
        AttentionOutputs dy = AttentionOutputs.of(numbers(size));
        AttentionInputs dx = AttentionInputs.zeros(sequences, shape);
        Kernels.scalar().attention().forward(saved, x, sequences, shape);
        String name = "attention of length " + length;
        add("attention.forward", name, FASTER, unsaved.outputs(), kernels -> {
            kernels.attention().forward(unsaved, x, sequences, shape);
        });
        float[] gradients = new float[3 * size];
        add("attention.backward", name + ", backward", FASTER, gradients, kernels -> {
            kernels.attention().backward(dx, dy, saved, x, sequences, shape);
            moveInto(gradients, dx);
        });
        int[] cached = {0, 1, 2, 3};
        var cache = new AttentionCache(shape, cached.length, length);
        for (int sequence : cached) {
            cache.append(sequence, x, 0, length - sequence);
        }
        AttentionOutputs step = AttentionOutputs.of(new float[cached.length * width]);
        name = "attention over a cache of length " + length;
        add("cachedAttention.forward", name, FASTER, step.outputs(), kernels -> {
            kernels.cachedAttention().forward(step, x, cache, cached, cached.length);
        });
        AttentionOutputs last = AttentionOutputs.of(new float[width]);
        name = "attention of the last of " + length + " positions";
        add("cachedAttention.forward", name, SOMEWHAT_FASTER, last.outputs(), kernels -> {
            kernels.cachedAttention().forward(last, x, sequences, shape);
        });
        AttentionInputs dLast = AttentionInputs.of(new float[width], new float[size], new float[size]);
        float[] lastGradients = new float[width + 2 * size];
        add("cachedAttention.backward", name + ", backward", A_LITTLE_FASTER, lastGradients, kernels -> {
            kernels.cachedAttention().backward(dLast, dy, last, x, sequences, shape);
            moveInto(lastGradients, dLast);
        });
    }

    /**
     * Copies queries, keys and values one after the other into {@code all}. Overwrites the originals with NaN, so that
     * the check detects a kernel that writes nothing. Both take a small part of the measured time.
     */
    private static void moveInto(float[] all, AttentionInputs inputs) {
        int queries = inputs.queries().length;
        int keys = inputs.keys().length;
        System.arraycopy(inputs.queries(), 0, all, 0, queries);
        System.arraycopy(inputs.keys(), 0, all, queries, keys);
        System.arraycopy(inputs.values(), 0, all, queries + keys, keys);
        Arrays.fill(inputs.queries(), Float.NaN);
        Arrays.fill(inputs.keys(), Float.NaN);
        Arrays.fill(inputs.values(), Float.NaN);
    }

    private void addActivation() {
        Activation.Kind kind = Activation.Kind.GELU;
        Matrix x = numbers(1, ELEMENTS);
        Matrix dy = numbers(1, ELEMENTS);
        Matrix y = numbers(1, ELEMENTS);
        add("activation.forwardInto", "GELU", SOMEWHAT_FASTER, y.array(), kernels -> {
            kernels.activation().forwardInto(kind, y, x);
        });
        add("activation.backwardInto", "GELU, backward", SOMEWHAT_FASTER, y.array(), kernels -> {
            kernels.activation().backwardInto(kind, y, dy, x);
        });
    }

    private void addFeedForward(int rows, int width, int hidden) {
        var shape = new FeedForwardShape(width, hidden, width, Activation.Kind.GELU);
        int parameters = hidden * (2 * width + 1) + width;
        FeedForwardWeights weights = weights(numbers(parameters), shape);
        Matrix x = numbers(rows, width);
        Matrix y = numbers(rows, width);
        var saved = new FeedForwardSaved(numbers(rows, hidden), null);
        String name = "feed-forward layer";
        add("feedForward.forward", name, FASTER, y.array(), kernels -> {
            kernels.feedForward().forward(y, saved, x, weights, shape);
        });
        Matrix dy = numbers(rows, width);
        float[] gradients = new float[parameters + rows * width];
        Matrix dx = Matrix.of(gradients, parameters, rows, width, width);
        FeedForwardWeights dweights = weights(gradients, shape);
        add("feedForward.backward", name + ", backward", FASTER, gradients, kernels -> {
            Arrays.fill(gradients, 0, parameters, 0);
            kernels.feedForward().backward(dx, dweights, dy, saved, x, weights, shape);
        });
    }

    private static FeedForwardWeights weights(float[] array, FeedForwardShape shape) {
        int width = shape.inputs();
        int hidden = shape.hidden();
        return new FeedForwardWeights(
                Matrix.of(array, width, hidden),
                Matrix.row(array, width * hidden, hidden),
                GainAndShift.NONE,
                Matrix.of(array, (width + 1) * hidden, hidden, width, width),
                Matrix.row(array, (2 * width + 1) * hidden, width));
    }

    private void addRounding() {
        float[] x = numbers(ELEMENTS);
        float[] y = new float[ELEMENTS];
        var words = new RandomStream(1, 2, 0);
        add("dropout.forward", "dropout", FASTER, y, kernels -> {
            kernels.dropout().forward(y, 0, x, 0, ELEMENTS, 0.1, words);
        });
        Matrix a = numbers(1, ELEMENTS);
        Matrix b = numbers(1, ELEMENTS);
        Matrix c = numbers(1, ELEMENTS);
        var stochastic = new Rounding(FloatFormat.BINARY16, Rounding.Mode.STOCHASTIC, true, false);
        add("quantization.round", "stochastic rounding", FASTER, c.array(), kernels -> {
            kernels.quantization().round(c, a, stochastic, words);
        });
        Rounding nearest = Rounding.toNearestEven(FloatFormat.BFLOAT16);
        add("quantization.add", "rounded sum of arrays", FASTER, c.array(), kernels -> {
            kernels.quantization().add(c, a, b, nearest, words);
        });
    }

    private void addArithmetic(int rows) {
        float[] x = numbers(rows * rows);
        float[] y = new float[ELEMENTS];
        add("arithmetic.addInto", "sum of arrays", ALIKE, y, kernels -> {
            Arrays.fill(y, 1);
            kernels.arithmetic().addInto(y, 0, x, 0, ELEMENTS);
        });
        add("arithmetic.scaleInto", "multiple of an array", ALIKE, y, kernels -> {
            kernels.arithmetic().scaleInto(y, 0, x, 0, ELEMENTS, 0.7f);
        });
        float[] sums = new float[rows];
        add("arithmetic.addRowsInto", "sum of rows", SOMEWHAT_FASTER, sums, kernels -> {
            Arrays.fill(sums, 0);
            kernels.arithmetic().addRowsInto(sums, 0, x, 0, rows, rows, rows);
        });
    }

    private void addLosses(int rows, int columns) {
        Matrix x = numbers(rows, columns);
        Matrix y = numbers(rows, columns);
        String name = "softmax of rows of " + columns;
        add("softmax.forwardInto", name, FASTER, y.array(), kernels -> {
            kernels.softmax().forwardInto(y, x);
        });
        Matrix dy = numbers(rows, columns);
        Matrix dx = numbers(rows, columns);
        add("softmax.backwardInto", name + ", backward", SOMEWHAT_FASTER, dx.array(), kernels -> {
            kernels.softmax().backwardInto(dx, dy, y);
        });
        int[] targets = random.ints(rows, 0, columns).toArray();
        int[] scored = {0, 1, 2, 3};
        float[] loss = new float[1];
        name = "cross-entropy";
        add("softmaxCrossEntropy.forward", name, FASTER, loss, kernels -> {
            loss[0] = (float) kernels.softmaxCrossEntropy().forward(x, targets, scored, 1);
        });
        name = "cross-entropy, backward";
        add("softmaxCrossEntropy.backward", name, FASTER, dx.array(), kernels -> {
            kernels.softmaxCrossEntropy().backward(dx, x, targets, scored, 1);
        });
        name = "squared error";
        add("squaredError.forward", name, SOMEWHAT_FASTER, loss, kernels -> {
            loss[0] = (float) kernels.squaredError().forward(dy, x, 0.5);
        });
        name += ", backward";
        add("squaredError.backward", name, SOMEWHAT_FASTER, dx.array(), kernels -> {
            kernels.squaredError().backward(dx, dy, x, 0.5);
        });
    }

    private void addOptimizer() {
        float[] gradients = numbers(4 * ELEMENTS);
        float[] norm = new float[1];
        add("gradientNorm.squaredNorm", "gradient norm", SOMEWHAT_FASTER, norm, kernels -> {
            norm[0] = (float) kernels.gradientNorm().squaredNorm(0, gradients, 0, gradients.length);
        });
        Coefficients coefficients = Coefficients.of(new AdamW(0.1, 0.9, 0.999, 1e-8, 0.01), 1, 1, 1);
        float[] parameters = numbers(ELEMENTS);
        float[] first = new float[ELEMENTS];
        float[] second = new float[ELEMENTS];
        // Each call changes parameters and moments, so both are restored before it.
        float[] before = parameters.clone();
        add("optimizerStep.step", "AdamW step", ALIKE, parameters, kernels -> {
            System.arraycopy(before, 0, parameters, 0, ELEMENTS);
            Arrays.fill(first, 0);
            Arrays.fill(second, 0);
            kernels.optimizerStep().step(parameters, first, second, gradients, coefficients, 0, ELEMENTS);
        });
    }

    private float[] numbers(int length) {
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextGaussian();
        }
        return x;
    }

    private Matrix numbers(int rows, int columns) {
        return Matrix.of(numbers(rows * columns), rows, columns);
    }

    /**
     * @param method the component of {@link Kernels} and its method
     * @param minRatio minimum speed relative to the reference
     * @param result the array that {@code call} writes
     */
    private void add(String method, String name, double minRatio, float[] result, Consumer<Kernels> call) {
        call.accept(Kernels.scalar());
        float[] expected = result.clone();
        double size = 0;
        for (float number : expected) {
            size = Math.max(size, Math.abs(number));
        }
        probes.add(new SelfCheck.Probe(
                method,
                name,
                kernels -> () -> {
                    call.accept(kernels);
                    return result;
                },
                i -> expected[i],
                TOLERANCE * size,
                minRatio));
    }
}
