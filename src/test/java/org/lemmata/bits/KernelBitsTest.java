package org.lemmata.bits;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.elementary.ElementaryFunction;
import org.lemmata.kernel.embedding.EmbeddingShape;
import org.lemmata.kernel.embedding.EmbeddingShape.Positions;
import org.lemmata.kernel.feedforward.FeedForwardSaved;
import org.lemmata.kernel.feedforward.FeedForwardShape;
import org.lemmata.kernel.feedforward.FeedForwardWeights;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.GainAndShift;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.kernel.optimizer.Adam;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.optimizer.Coefficients;
import org.lemmata.kernel.optimizer.OptimizerStep;
import org.lemmata.kernel.optimizer.Sgd;
import org.lemmata.kernel.optimizer.UpdateRule;
import org.lemmata.random.RandomStream;

/** Bits of all operations except products, attention and rounding. */
class KernelBitsTest {

    private static final int[] LENGTHS = {0, 1, 7, 64, 65, 1000, 70_001};

    /** Rows and columns: odd sizes, whole vectors, and enough work for two threads. */
    private static final int[][] MATRICES = {{1, 1}, {3, 5}, {5, 33}, {13, 100}, {2, 1031}, {601, 130}};

    private static final int[][] ROWS =
            IntStream.of(LENGTHS).mapToObj(length -> new int[] {1, length}).toArray(int[][]::new);

    private static final RandomStream STREAM = new RandomStream(11, 5, 3);

    @Test
    void bitsAreThoseRecorded() throws IOException {
        Recording.check("kernel", recording -> {
            elementary(recording);
            arithmetic(recording);
            activation(recording);
            dropout(recording);
            softmax(recording);
            loss(recording);
            embedding(recording);
            normalization(recording);
            feedForward(recording);
            optimizer(recording);
        });
    }

    private static void elementary(Recording recording) throws IOException {
        for (ElementaryFunction function : ElementaryFunction.values()) {
            elementary(recording, function, "all patterns", new Drawn(1).patterns(1 << 13));
            elementary(recording, function, "small numbers", new Drawn(2).numbers(1 << 13));
        }
        recording.scalar("random words", (kernels, bits) -> {
            int[] words = new int[RandomStream.TILE];
            for (int tile = 0; tile < 9; tile++) {
                STREAM.part(tile).tileInto(words, 0, tile);
                bits.add(words);
            }
        });
    }

    private static void elementary(Recording recording, ElementaryFunction function, String of, float[] x)
            throws IOException {
        recording.scalar(function + " of " + of, (kernels, bits) -> {
            for (float argument : x) {
                bits.add(function.scalar(argument));
            }
        });
        recording.lanes(function + " of " + of, (kernels, bits) -> {
            float[] y = new float[x.length];
            function.vectorInto(y, x);
            bits.add(y);
        });
    }

    /** An operation on drawn matrices; returns the one that it writes. */
    @FunctionalInterface
    private interface OfMatrices {
        Matrix run(Kernels kernels, Drawn drawn, int rows, int columns);
    }

    private static void each(Recording recording, String name, int[][] sizes, OfMatrices operation) throws IOException {
        recording.each(name, (kernels, bits) -> {
            for (int[] size : sizes) {
                bits.add(operation
                        .run(kernels, new Drawn(size[1]), size[0], size[1])
                        .array());
            }
        });
    }

    private static void arithmetic(Recording recording) throws IOException {
        each(recording, "sum of arrays", ROWS, (kernels, drawn, _, length) -> {
            Matrix y = drawn.row(length);
            Matrix x = drawn.row(length);
            kernels.arithmetic().addInto(y.array(), y.offset(), x.array(), x.offset(), length);
            return y;
        });
        each(recording, "multiple of an array", ROWS, (kernels, drawn, _, length) -> {
            Matrix y = drawn.row(length);
            Matrix x = drawn.row(length);
            kernels.arithmetic().scaleInto(y.array(), y.offset(), x.array(), x.offset(), length, 0.7f);
            return y;
        });
        each(recording, "sum of rows", MATRICES, (kernels, drawn, rows, columns) -> {
            Matrix sums = drawn.row(columns);
            Matrix x = drawn.rows(rows, columns);
            kernels.arithmetic()
                    .addRowsInto(sums.array(), sums.offset(), x.array(), x.offset(), x.stride(), rows, columns);
            return sums;
        });
    }

    private static void activation(Recording recording) throws IOException {
        for (Activation.Kind kind : Activation.Kind.values()) {
            each(recording, "activation " + kind, ROWS, (kernels, drawn, _, length) -> {
                Matrix y = drawn.row(length);
                Matrix x = scaled(drawn.row(length), 6);
                kernels.activation().forwardInto(kind, y, x);
                return y;
            });
            each(recording, "activation " + kind + ", backward", ROWS, (kernels, drawn, _, length) -> {
                Matrix dx = drawn.row(length);
                Matrix dy = drawn.row(length);
                Matrix x = scaled(drawn.row(length), 6);
                kernels.activation().backwardInto(kind, dx, dy, x);
                return dx;
            });
        }
    }

    private static void dropout(Recording recording) throws IOException {
        for (double probability : new double[] {0, 0.1, 0.5, 1}) {
            recording.each("dropout " + probability, (kernels, bits) -> {
                for (int length : LENGTHS) {
                    Drawn drawn = new Drawn(length);
                    Matrix y = drawn.row(length);
                    Matrix x = drawn.row(length);
                    kernels.dropout()
                            .forward(y.array(), y.offset(), x.array(), x.offset(), length, probability, STREAM);
                    bits.add(y.array());
                    kernels.dropout()
                            .backward(x.array(), x.offset(), y.array(), y.offset(), length, probability, STREAM);
                    bits.add(x.array());
                }
            });
        }
    }

    private static void softmax(Recording recording) throws IOException {
        each(recording, "softmax", MATRICES, (kernels, drawn, rows, columns) -> {
            Matrix y = drawn.rows(rows, columns);
            Matrix x = scaled(drawn.rows(rows, columns), 9);
            kernels.softmax().forwardInto(y, x);
            return y;
        });
        each(recording, "softmax, backward", MATRICES, (kernels, drawn, rows, columns) -> {
            Matrix dx = drawn.rows(rows, columns);
            Matrix dy = drawn.rows(rows, columns);
            Matrix y = drawn.rows(rows, columns);
            kernels.softmax().backwardInto(dx, dy, y);
            return dx;
        });
    }

    private static void loss(Recording recording) throws IOException {
        recording.each("cross-entropy", (kernels, bits) -> {
            for (int[] matrix : MATRICES) {
                crossEntropy(kernels, bits, matrix[0], matrix[1], 4);
                crossEntropy(kernels, bits, matrix[0], matrix[1], 60);
            }
        });
        recording.each("squared error", (kernels, bits) -> {
            for (int length : LENGTHS) {
                Drawn drawn = new Drawn(length);
                Matrix y = drawn.row(length);
                Matrix targets = drawn.row(length);
                bits.add(kernels.squaredError().forward(y, targets, 0.3));
                Matrix dy = drawn.row(length);
                bits.add(kernels.squaredError().backward(dy, y, targets, 0.3));
                bits.add(dy.array());
            }
        });
    }

    /** Scores all rows except every third one. */
    private static void crossEntropy(Kernels kernels, Bits bits, int rows, int columns, float magnitude) {
        Drawn drawn = new Drawn(columns);
        Matrix logits = scaled(drawn.rows(rows, columns), magnitude);
        Matrix dlogits = drawn.rows(rows, columns);
        int[] scored = IntStream.range(0, rows).filter(i -> i % 3 != 1).toArray();
        int[] targets = drawn.ids(scored.length, columns);
        bits.add(kernels.softmaxCrossEntropy().forward(logits, targets, scored, 0.01));
        bits.add(kernels.softmaxCrossEntropy().backward(dlogits, logits, targets, scored, 0.01));
        bits.add(dlogits.array());
    }

    private static void embedding(Recording recording) throws IOException {
        for (Positions positions : Positions.values()) {
            recording.each("embedding, positions " + positions, (kernels, bits) -> {
                embedding(kernels, bits, positions, 11, 7, 1, 5, 0, 1, 12);
                embedding(kernels, bits, positions, 5, 33, 1.5f, 16, 9, 16);
                embedding(kernels, bits, positions, 50, 96, (float) Math.sqrt(96), 300, 0, 211);
            });
        }
    }

    private static void embedding(
            Kernels kernels, Bits bits, Positions positions, int vocabulary, int width, float scale, int... lengths) {
        int positionRows = switch (positions) {
            case NONE -> 0;
            case TABLE -> Arrays.stream(lengths).max().orElseThrow();
            case PERIODIC -> 4;
        };
        var shape = new EmbeddingShape(vocabulary, width, positions, positionRows, scale);
        RaggedOffsets sequences = RaggedOffsets.ofLengths(lengths);
        Drawn drawn = new Drawn(width);
        int[] ids = drawn.ids(sequences.total(), vocabulary);
        int tokens = 3;
        int table = tokens + vocabulary * width + 2;
        float[] parameters = drawn.numbers(table + positionRows * width + 1);
        float[] outputs = drawn.numbers(sequences.total() * width + 1);
        Matrix rows = Matrix.of(outputs, sequences.total(), width);
        kernels.embedding()
                .forward(
                        rows,
                        ids,
                        sequences,
                        Matrix.of(parameters, tokens, vocabulary, width, width),
                        Matrix.of(parameters, table, positionRows, width, width),
                        shape);
        bits.add(outputs);
        float[] gradients = drawn.numbers(parameters.length);
        kernels.embedding()
                .backward(
                        Matrix.of(gradients, tokens, vocabulary, width, width),
                        Matrix.of(gradients, table, positionRows, width, width),
                        rows,
                        ids,
                        sequences,
                        shape);
        bits.add(gradients);
    }

    private static void normalization(Recording recording) throws IOException {
        for (Normalization.Kind kind : Normalization.Kind.values()) {
            recording.each("normalization " + kind, (kernels, bits) -> {
                for (int[] matrix : MATRICES) {
                    normalization(kernels.normalization(), bits, kind, matrix[0], matrix[1], true, true);
                }
            });
            recording.each(
                    "normalization " + kind + " with gain alone",
                    (kernels, bits) -> normalization(kernels.normalization(), bits, kind, 14, 37, true, false));
            recording.each(
                    "normalization " + kind + " without gain and shift",
                    (kernels, bits) -> normalization(kernels.normalization(), bits, kind, 14, 37, false, false));
        }
    }

    /** Adds the bits of the forward and the backward pass. */
    static void normalization(
            Normalization normalization,
            Bits bits,
            Normalization.Kind kind,
            int rows,
            int columns,
            boolean withGain,
            boolean withShift) {
        Drawn drawn = new Drawn(columns);
        Matrix x = drawn.rows(rows, columns);
        Matrix y = drawn.rows(rows, columns);
        float[] statistics = drawn.numbers(1 + rows * kind.statistics());
        Matrix gain = drawn.row(columns);
        Matrix shift = drawn.row(columns);
        normalization.forward(
                y,
                Matrix.of(statistics, 1, rows, kind.statistics(), kind.statistics()),
                x,
                new GainAndShift(withGain ? gain : null, withShift ? shift : null),
                kind,
                1e-5f);
        bits.add(y.array()).add(statistics);
        Matrix dx = drawn.rows(rows, columns);
        Matrix dy = drawn.rows(rows, columns);
        Matrix dgain = drawn.row(columns);
        Matrix dshift = drawn.row(columns);
        normalization.backward(
                dx,
                new GainAndShift(withGain ? dgain : null, withShift ? dshift : null),
                dy,
                Matrix.of(statistics, 1, rows, kind.statistics(), kind.statistics()),
                x,
                new GainAndShift(withGain ? gain : null, null),
                kind);
        bits.add(dx.array()).add(dgain.array()).add(dshift.array());
    }

    private static void feedForward(Recording recording) throws IOException {
        for (Activation.Kind activation : Activation.Kind.values()) {
            recording.each(
                    "feed-forward " + activation,
                    (kernels, bits) -> feedForward(kernels, bits, shape(7, 19, 5, activation, null), true, 13));
        }
        for (Normalization.Kind kind : Normalization.Kind.values()) {
            recording.each(
                    "feed-forward with normalization " + kind,
                    (kernels, bits) ->
                            feedForward(kernels, bits, shape(9, 18, 9, Activation.Kind.GELU, kind), true, 21));
        }
        recording.each(
                "feed-forward without biases",
                (kernels, bits) ->
                        feedForward(kernels, bits, shape(16, 33, 16, Activation.Kind.RELU, null), false, 40));
        recording.each(
                "feed-forward of several blocks",
                (kernels, bits) -> feedForward(
                        kernels,
                        bits,
                        shape(8, 129, 6, Activation.Kind.RELU, Normalization.Kind.ROOT_MEAN_SQUARE),
                        true,
                        1700));
        recording.each(
                "feed-forward of great weights",
                (kernels, bits) ->
                        feedForward(kernels, bits, shape(65, 300, 60, Activation.Kind.GELU, null), true, 130));
    }

    private static FeedForwardShape shape(
            int inputs, int hidden, int outputs, Activation.Kind activation, Normalization.@Nullable Kind kind) {
        return new FeedForwardShape(inputs, hidden, outputs, activation, kind, kind == null ? 0 : 1e-4f);
    }

    /** Adds the bits of both passes; {@code vectors} is whether there are biases, gain and shift. */
    private static void feedForward(Kernels kernels, Bits bits, FeedForwardShape shape, boolean vectors, int rows) {
        Drawn drawn = new Drawn(shape.hidden());
        boolean normalizes = vectors && shape.normalization() != null;
        int first = 1;
        int second = first + shape.inputs() * shape.hidden();
        int firstBias = second + shape.hidden() * shape.outputs();
        int secondBias = firstBias + shape.hidden();
        int gain = secondBias + shape.outputs();
        int shift = gain + shape.hidden();
        float[] parameters = drawn.numbers(shift + shape.hidden());
        Matrix x = drawn.rows(rows, shape.inputs());
        Matrix y = drawn.rows(rows, shape.outputs());
        float[] hidden = drawn.numbers(1 + rows * shape.hidden());
        float[] statistics = drawn.numbers(1 + rows * shape.statistics());
        var saved = new FeedForwardSaved(
                Matrix.of(hidden, 1, rows, shape.hidden(), shape.hidden()),
                Matrix.of(statistics, 1, rows, shape.statistics(), shape.statistics()));
        Function<float[], FeedForwardWeights> views = array -> new FeedForwardWeights(
                Matrix.of(array, first, shape.inputs(), shape.hidden(), shape.hidden()),
                vectors ? Matrix.row(array, firstBias, shape.hidden()) : null,
                new GainAndShift(
                        normalizes ? Matrix.row(array, gain, shape.hidden()) : null,
                        normalizes ? Matrix.row(array, shift, shape.hidden()) : null),
                Matrix.of(array, second, shape.hidden(), shape.outputs(), shape.outputs()),
                vectors ? Matrix.row(array, secondBias, shape.outputs()) : null);
        FeedForwardWeights weights = views.apply(parameters);
        kernels.feedForward().forward(y, saved, x, weights, shape);
        bits.add(y.array()).add(hidden).add(statistics);
        Matrix dx = drawn.rows(rows, shape.inputs());
        Matrix dy = drawn.rows(rows, shape.outputs());
        float[] gradients = drawn.numbers(parameters.length);
        kernels.feedForward().backward(dx, views.apply(gradients), dy, saved, x, weights, shape);
        bits.add(dx.array()).add(gradients);
    }

    private static void optimizer(Recording recording) throws IOException {
        recording.each("gradient norm", (kernels, bits) -> {
            for (int length : LENGTHS) {
                bits.add(kernels.gradientNorm().squaredNorm(0, new Drawn(length).numbers(length + 2), 1, length + 1));
            }
            bits.add(OptimizerStep.clippingScale(7.3, 1.1)).add(OptimizerStep.clippingScale(0.3, 1.1));
        });
        Map<String, UpdateRule> rules = new LinkedHashMap<>();
        rules.put("gradient descent", new Sgd(0.1, 0, false, 0));
        rules.put("gradient descent with decay and momentum", new Sgd(0.1, 0.9, false, 0.01));
        rules.put("gradient descent with Nesterov's momentum", new Sgd(0.1, 0.9, true, 0));
        rules.put("Adam", new Adam(1e-3, 0.9, 0.999, 1e-8, 0));
        rules.put("Adam with decay", new Adam(1e-3, 0.9, 0.95, 1e-6, 0.1));
        rules.put("AdamW", new AdamW(1e-3, 0.9, 0.95, 1e-8, 0.1));
        for (Map.Entry<String, UpdateRule> rule : rules.entrySet()) {
            recording.each("steps of " + rule.getKey(), (kernels, bits) -> {
                for (int length : LENGTHS) {
                    Drawn drawn = new Drawn(length);
                    float[] parameters = drawn.numbers(length + 2);
                    List<float[]> moments = new ArrayList<>(List.of(new float[length + 2], new float[length + 2]));
                    for (int step = 1; step <= 3; step++) {
                        kernels.optimizerStep()
                                .step(
                                        parameters,
                                        moments.get(0),
                                        moments.get(1),
                                        drawn.numbers(length + 2),
                                        Coefficients.of(rule.getValue(), 1.0 / step, step, 0.9f),
                                        1,
                                        length + 1);
                    }
                    bits.add(parameters).add(moments.get(0)).add(moments.get(1));
                }
            });
        }
    }

    private static Matrix scaled(Matrix rows, float factor) {
        for (int i = 0; i < rows.array().length; i++) {
            rows.array()[i] *= factor;
        }
        return rows;
    }
}
