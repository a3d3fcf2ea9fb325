package org.lemmata.kernel;

import static org.lemmata.kernel.SelfCheckProbes.ELEMENTS;
import static org.lemmata.kernel.SelfCheckProbes.FASTER;
import static org.lemmata.kernel.SelfCheckProbes.ROUNDING;
import static org.lemmata.kernel.SelfCheckProbes.SOMEWHAT_FASTER;
import static org.lemmata.kernel.SelfCheckProbes.probe;
import static org.lemmata.kernel.SelfCheckProbes.random;
import static org.lemmata.kernel.SelfCheckProbes.referred;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.embedding.Embedding;
import org.lemmata.kernel.embedding.EmbeddingShape;
import org.lemmata.kernel.feedforward.FeedForward;
import org.lemmata.kernel.feedforward.FeedForwardSaved;
import org.lemmata.kernel.feedforward.FeedForwardShape;
import org.lemmata.kernel.feedforward.FeedForwardWeights;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.GainAndShift;
import org.lemmata.kernel.normalization.Normalization;

/** The probes of what else a layer is made of among {@link SelfCheckProbes}. */
final class LayerProbes {

    private LayerProbes() {}

    static SelfCheck.Probe embedding() {
        var problem = new EmbeddingProblem();
        double[] exact = new double[problem.outputs.length];
        for (int i = 0; i < exact.length; i++) {
            int row = i / problem.shape.width();
            int column = i % problem.shape.width();
            exact[i] =
                    (double) problem.tokens[problem.ids[row] * problem.shape.width() + column] + problem.positions[i];
        }
        return probe("embedding.forward", "embedding", SOMEWHAT_FASTER, 2 * ROUNDING, exact, kernels -> {
            Embedding embedding = kernels.embedding();
            return () -> {
                embedding.forward(
                        problem.outputs,
                        problem.ids,
                        problem.sequences,
                        problem.tokens,
                        0,
                        problem.positions,
                        0,
                        problem.shape);
                return problem.outputs;
            };
        });
    }

    static SelfCheck.Probe embeddingGradients() {
        var problem = new EmbeddingProblem();
        int width = problem.shape.width();
        int positions = problem.tokens.length;
        float[] dOutputs = random(problem.outputs.length, 3);
        double[] exact = new double[positions + problem.positions.length];
        for (int i = 0; i < dOutputs.length; i++) {
            exact[problem.ids[i / width] * width + i % width] += dOutputs[i];
            exact[positions + i] += dOutputs[i];
        }
        float[] gradients = new float[exact.length];
        // A token occurs four times in the mean.
        return probe("embedding.backward", "embedding, backward", SOMEWHAT_FASTER, 64 * ROUNDING, exact, kernels -> {
            Embedding embedding = kernels.embedding();
            return () -> {
                Arrays.fill(gradients, 0);
                embedding.backward(
                        gradients, 0, gradients, positions, dOutputs, problem.ids, problem.sequences, problem.shape);
                return gradients;
            };
        });
    }

    /** 64 rows of width 64, of 16 tokens. */
    private static final class EmbeddingProblem {
        private final EmbeddingShape shape = new EmbeddingShape(16, 64, EmbeddingShape.Positions.TABLE, 64, 1);
        private final RaggedOffsets sequences = RaggedOffsets.ofLengths(shape.positionRows());
        private final int[] ids = new SplittableRandom(1)
                .ints(shape.positionRows(), 0, shape.vocabulary())
                .toArray();
        private final float[] tokens = random(shape.vocabulary() * shape.width(), 1);
        private final float[] positions = random(shape.positionRows() * shape.width(), 2);
        private final float[] outputs = new float[positions.length];
    }

    static SelfCheck.Probe normalization() {
        int n = 48;
        float[] x = random(n * n, 1);
        float[] gain = random(n, 2);
        float[] shift = random(n, 3);
        float[] y = new float[n * n];
        double[] exact = new double[n * n];
        for (int i = 0; i < n; i++) {
            double mean = 0;
            double variance = 1e-5f;
            for (int j = 0; j < n; j++) {
                mean += (double) x[i * n + j] / n;
            }
            for (int j = 0; j < n; j++) {
                variance += (x[i * n + j] - mean) * (x[i * n + j] - mean) / n;
            }
            for (int j = 0; j < n; j++) {
                exact[i * n + j] = (x[i * n + j] - mean) / Math.sqrt(variance) * gain[j] + shift[j];
            }
        }
        // Results below 4, with sums of n terms.
        return probe("normalization.forward", "layer normalization", SOMEWHAT_FASTER, n * ROUNDING, exact, kernels -> {
            Normalization normalization = kernels.normalization();
            Matrix from = Matrix.of(x, n, n);
            Matrix to = Matrix.of(y, n, n);
            var parameters = new GainAndShift(Matrix.row(gain, 0, n), Matrix.row(shift, 0, n));
            return () -> {
                normalization.forward(to, null, from, parameters, Normalization.Kind.LAYER, 1e-5f);
                return y;
            };
        });
    }

    static SelfCheck.Probe normalizationGradients() {
        int n = 48;
        Normalization.Kind kind = Normalization.Kind.LAYER;
        float[] x = random(n * n, 1);
        float[] gain = random(n, 2);
        float[] dy = random(n * n, 3);
        float[] gradients = new float[n * n + 2 * n];
        Function<Kernels, SelfCheck.Call> calls = kernels -> {
            Normalization normalization = kernels.normalization();
            Matrix from = Matrix.of(x, n, n);
            Matrix statistics = Matrix.of(new float[n * kind.statistics()], n, kind.statistics());
            var parameters = new GainAndShift(Matrix.row(gain, 0, n), null);
            normalization.forward(Matrix.of(new float[n * n], n, n), statistics, from, parameters, kind, 1e-5f);
            Matrix dx = Matrix.of(gradients, n, n);
            Matrix ofDy = Matrix.of(dy, n, n);
            var dparameters = new GainAndShift(Matrix.row(gradients, n * n, n), Matrix.row(gradients, n * n + n, n));
            return () -> {
                Arrays.fill(gradients, n * n, gradients.length, 0);
                normalization.backward(dx, dparameters, ofDy, statistics, from, parameters, kind);
                return gradients;
            };
        };
        // Sums of n terms.
        return referred("normalization.backward", "layer normalization, backward", SOMEWHAT_FASTER, n, calls);
    }

    static SelfCheck.Probe matMul() {
        int n = 32;
        float[] a = random(n * n, 1);
        float[] b = random(n * n, 2);
        float[] c = new float[n * n];
        // n products below 1 in a chain of n roundings.
        return probe("matMul.multiply", "matrix product 32³", FASTER, n * n * ROUNDING, product(a, b, n), kernels -> {
            MatMul matMul = kernels.matMul();
            Matrix ofA = Matrix.of(a, n, n);
            Matrix ofB = Matrix.of(b, n, n);
            Matrix ofC = Matrix.of(c, n, n);
            return () -> {
                matMul.multiply(MatMul.Form.NN, false, ofC, ofA, ofB);
                return c;
            };
        });
    }

    static SelfCheck.Probe matMulAddBias() {
        int n = 32;
        float[] a = random(n * n, 1);
        float[] b = random(n * n, 2);
        float[] bias = random(n, 3);
        float[] c = new float[n * n];
        double[] exact = product(a, b, n);
        for (int i = 0; i < exact.length; i++) {
            exact[i] += bias[i % n];
        }
        String name = "matrix product 32³ with bias";
        return probe("matMul.multiplyAddBias", name, FASTER, n * n * ROUNDING, exact, kernels -> {
            MatMul matMul = kernels.matMul();
            Matrix ofA = Matrix.of(a, n, n);
            Matrix ofB = Matrix.of(b, n, n);
            Matrix ofC = Matrix.of(c, n, n);
            Matrix ofBias = Matrix.row(bias, 0, n);
            return () -> {
                matMul.multiplyAddBias(MatMul.Form.NN, ofC, ofA, ofB, ofBias);
                return c;
            };
        });
    }

    private static double[] product(float[] a, float[] b, int n) {
        double[] exact = new double[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int l = 0; l < n; l++) {
                    exact[i * n + j] += (double) a[i * n + l] * b[l * n + j];
                }
            }
        }
        return exact;
    }

    static SelfCheck.Probe activation() {
        float[] x = random(ELEMENTS, 1);
        float[] y = new float[ELEMENTS];
        return referred("activation.forwardInto", "GELU", SOMEWHAT_FASTER, 16, kernels -> {
            Activation activation = kernels.activation();
            return () -> {
                activation.forwardInto(Activation.Kind.GELU, y, 0, x, 0, ELEMENTS);
                return y;
            };
        });
    }

    static SelfCheck.Probe activationGradients() {
        float[] x = random(ELEMENTS, 1);
        float[] dy = random(ELEMENTS, 2);
        float[] dx = new float[ELEMENTS];
        return referred("activation.backwardInto", "GELU, backward", SOMEWHAT_FASTER, 16, kernels -> {
            Activation activation = kernels.activation();
            return () -> {
                activation.backwardInto(Activation.Kind.GELU, dx, 0, dy, 0, x, 0, ELEMENTS);
                return dx;
            };
        });
    }

    static SelfCheck.Probe feedForward() {
        var problem = new FeedForwardProblem();
        float[] y = new float[problem.x.length];
        int roundings = 8 * FeedForwardProblem.HIDDEN;
        return referred("feedForward.forward", "feed-forward layer", FASTER, roundings, kernels -> {
            FeedForward feedForward = kernels.feedForward();
            FeedForwardSaved saved = FeedForwardProblem.saved();
            Matrix to = Matrix.of(y, FeedForwardProblem.ROWS, FeedForwardProblem.WIDTH);
            return () -> {
                feedForward.forward(to, saved, problem.rows, problem.weights, FeedForwardProblem.SHAPE);
                return y;
            };
        });
    }

    static SelfCheck.Probe feedForwardGradients() {
        var problem = new FeedForwardProblem();
        int rows = FeedForwardProblem.ROWS;
        int width = FeedForwardProblem.WIDTH;
        FeedForwardShape shape = FeedForwardProblem.SHAPE;
        Matrix dy = Matrix.of(random(problem.x.length, 4), rows, width);
        int dxOffset = FeedForwardProblem.PARAMETERS;
        float[] gradients = new float[dxOffset + problem.x.length];
        Matrix dx = Matrix.of(gradients, dxOffset, rows, width, width);
        FeedForwardWeights dweights = FeedForwardProblem.weights(gradients);
        Function<Kernels, SelfCheck.Call> calls = kernels -> {
            FeedForward feedForward = kernels.feedForward();
            FeedForwardSaved saved = FeedForwardProblem.saved();
            Matrix y = Matrix.of(new float[problem.x.length], rows, width);
            feedForward.forward(y, saved, problem.rows, problem.weights, shape);
            return () -> {
                Arrays.fill(gradients, 0, dxOffset, 0);
                feedForward.backward(dx, dweights, dy, saved, problem.rows, problem.weights, shape);
                return gradients;
            };
        };
        int roundings = 8 * FeedForwardProblem.HIDDEN;
        return referred("feedForward.backward", "feed-forward layer, backward", FASTER, roundings, calls);
    }

    /** With biases and GELU. */
    private static final class FeedForwardProblem {
        private static final int ROWS = 24;
        private static final int WIDTH = 32;
        private static final int HIDDEN = 64;
        private static final int MATRIX = WIDTH * HIDDEN;
        private static final int PARAMETERS = 2 * MATRIX + HIDDEN + WIDTH;
        private static final FeedForwardShape SHAPE = new FeedForwardShape(WIDTH, HIDDEN, WIDTH, Activation.Kind.GELU);
        private final FeedForwardWeights weights = weights(random(PARAMETERS, 1));
        private final float[] x = random(ROWS * WIDTH, 2);
        private final Matrix rows = Matrix.of(x, ROWS, WIDTH);

        static FeedForwardWeights weights(float[] array) {
            return new FeedForwardWeights(
                    Matrix.of(array, WIDTH, HIDDEN),
                    Matrix.row(array, MATRIX, HIDDEN),
                    GainAndShift.NONE,
                    Matrix.of(array, MATRIX + HIDDEN, HIDDEN, WIDTH, WIDTH),
                    Matrix.row(array, 2 * MATRIX + HIDDEN, WIDTH));
        }

        static FeedForwardSaved saved() {
            return new FeedForwardSaved(Matrix.of(new float[ROWS * HIDDEN], ROWS, HIDDEN), null);
        }
    }
}
