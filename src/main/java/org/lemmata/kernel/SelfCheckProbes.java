package org.lemmata.kernel;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.arithmetic.Arithmetic;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionCache;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionStep;
import org.lemmata.kernel.attention.LastQueryAttention;
import org.lemmata.kernel.dropout.Dropout;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.embedding.Embedding;
import org.lemmata.kernel.embedding.EmbeddingShape;
import org.lemmata.kernel.feedforward.FeedForward;
import org.lemmata.kernel.feedforward.FeedForwardSaved;
import org.lemmata.kernel.feedforward.FeedForwardShape;
import org.lemmata.kernel.feedforward.FeedForwardWeights;
import org.lemmata.kernel.loss.SoftmaxCrossEntropy;
import org.lemmata.kernel.loss.SquaredError;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.GainAndShift;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.optimizer.Coefficients;
import org.lemmata.kernel.optimizer.GradientNorm;
import org.lemmata.kernel.optimizer.OptimizerStep;
import org.lemmata.kernel.quantization.Quantization;
import org.lemmata.kernel.softmax.Softmax;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.random.RandomStream;

/**
 * A small call of every method of every operation. What is expected of it is computed in binary64 where that takes a
 * few lines; else it is what the reference gives, which the tests hold against binary64.
 */
final class SelfCheckProbes {

    /** Lanes of 128 bits gain more than this where a sum or a polynomial is computed for each element. */
    private static final double FASTER = 3;

    /** They gain 2.9 to 5 times where that is less, and a kernel that was not compiled is slower than the reference. */
    private static final double SOMEWHAT_FASTER = 1.5;

    /** What multiplies numbers that are read once. */
    private static final double A_LITTLE_FASTER = 1.1;

    /**
     * C2 makes lanes of these references, the widest there are even where {@link Species#PROPERTY} names narrower ones:
     * 0.5 to 1 was measured, and 0.02 before the kernel was compiled.
     */
    private static final double ALIKE = 0.3;

    /** Half an ulp of numbers from 1 to 2: what one rounding does to them at most. */
    private static final double ROUNDING = 0x1p-24;

    private static final int ELEMENTS = 1024;

    private SelfCheckProbes() {}

    /** In the order of {@link Kernels}. */
    static List<SelfCheck.Probe> all() {
        return List.of(
                embedding(),
                embeddingGradients(),
                normalization(),
                normalizationGradients(),
                matMul(),
                matMulAddBias(),
                attention(),
                attentionGradients(),
                attentionStep(),
                lastQueryAttention(),
                lastQueryAttentionGradients(),
                activation(),
                activationGradients(),
                feedForward(),
                feedForwardGradients(),
                dropout(),
                quantization(),
                quantizedSum(),
                sum(),
                multiple(),
                sumOfRows(),
                softmax(),
                softmaxGradients(),
                crossEntropy(),
                crossEntropyGradients(),
                squaredError(),
                squaredErrorGradients(),
                gradientNorm(),
                optimizerStep());
    }

    private static SelfCheck.Probe embedding() {
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

    private static SelfCheck.Probe embeddingGradients() {
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

    private static SelfCheck.Probe normalization() {
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

    private static SelfCheck.Probe normalizationGradients() {
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

    private static SelfCheck.Probe matMul() {
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

    private static SelfCheck.Probe matMulAddBias() {
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

    private static SelfCheck.Probe attention() {
        var problem = new AttentionProblem();
        int length = AttentionProblem.LENGTH;
        int width = AttentionProblem.WIDTH;
        float[] outputs = new float[length * width];
        AttentionOutputs written = AttentionOutputs.of(outputs);
        double[] exact = new double[length * width];
        for (int i = 0; i < length; i++) {
            double sum = 0;
            for (int j = 0; j <= i; j++) {
                double score = 0;
                for (int l = 0; l < width; l++) {
                    score += (double) problem.inputs.queries()[i * width + l]
                            * problem.inputs.keys()[j * width + l];
                }
                double weight = Math.exp(problem.shape.scoreScale() * score);
                sum += weight;
                for (int l = 0; l < width; l++) {
                    exact[i * width + l] += weight * problem.inputs.values()[j * width + l];
                }
            }
            for (int l = 0; l < width; l++) {
                exact[i * width + l] /= sum;
            }
        }
        // Scores below 8 with a rounding for each of their terms, and means of values below 1.
        double tolerance = (8 * width + length) * ROUNDING;
        return probe("attention.forward", "attention of length 64", FASTER, tolerance, exact, kernels -> {
            Attention attention = kernels.attention();
            return () -> {
                attention.forward(written, problem.inputs, problem.sequences, problem.shape);
                return outputs;
            };
        });
    }

    private static SelfCheck.Probe attentionGradients() {
        var problem = new AttentionProblem();
        int size = AttentionProblem.LENGTH * AttentionProblem.WIDTH;
        AttentionOutputs dOutputs = AttentionOutputs.of(random(size, 7));
        AttentionInputs gradients = AttentionInputs.zeros(problem.sequences, problem.shape);
        float[] all = new float[3 * size];
        Function<Kernels, SelfCheck.Call> calls = kernels -> {
            Attention attention = kernels.attention();
            AttentionOutputs outputs = AttentionOutputs.zeros(problem.sequences, problem.shape);
            attention.forward(outputs, problem.inputs, problem.sequences, problem.shape);
            return () -> {
                attention.backward(gradients, dOutputs, outputs, problem.inputs, problem.sequences, problem.shape);
                // A small part of the time.
                System.arraycopy(gradients.queries(), 0, all, 0, size);
                System.arraycopy(gradients.keys(), 0, all, size, size);
                System.arraycopy(gradients.values(), 0, all, 2 * size, size);
                return all;
            };
        };
        int roundings = 8 * AttentionProblem.WIDTH + AttentionProblem.LENGTH;
        return referred("attention.backward", "attention of length 64, backward", FASTER, roundings, calls);
    }

    private static SelfCheck.Probe attentionStep() {
        var problem = new AttentionProblem();
        int width = AttentionProblem.WIDTH;
        int[] sequences = {0, 1, 2, 3};
        var cache = new AttentionCache(problem.shape, sequences.length, AttentionProblem.LENGTH);
        for (int sequence : sequences) {
            cache.append(sequence, problem.inputs, 0, AttentionProblem.LENGTH - sequence);
        }
        float[] outputs = new float[sequences.length * width];
        AttentionOutputs written = AttentionOutputs.of(outputs);
        // The queries are those of the first rows.
        int roundings = 8 * width + AttentionProblem.LENGTH;
        return referred("attentionStep.forward", "attention over a cache of length 64", FASTER, roundings, kernels -> {
            AttentionStep attentionStep = kernels.attentionStep();
            return () -> {
                attentionStep.forward(written, problem.inputs, cache, sequences, sequences.length);
                return outputs;
            };
        });
    }

    private static SelfCheck.Probe lastQueryAttention() {
        var problem = new AttentionProblem();
        float[] outputs = new float[AttentionProblem.WIDTH];
        AttentionOutputs written = AttentionOutputs.of(outputs);
        // The query is that of the first row.
        int roundings = 8 * AttentionProblem.WIDTH + AttentionProblem.LENGTH;
        return referred(
                "lastQueryAttention.forward",
                "attention of the last of 64 positions",
                SOMEWHAT_FASTER,
                roundings,
                kernels -> {
                    LastQueryAttention attention = kernels.lastQueryAttention();
                    return () -> {
                        attention.forward(written, problem.inputs, problem.sequences, problem.shape);
                        return outputs;
                    };
                });
    }

    private static SelfCheck.Probe lastQueryAttentionGradients() {
        var problem = new AttentionProblem();
        int width = AttentionProblem.WIDTH;
        int size = AttentionProblem.LENGTH * width;
        AttentionOutputs dOutputs = AttentionOutputs.of(random(width, 9));
        Function<Kernels, SelfCheck.Call> calls = kernels -> {
            LastQueryAttention attention = kernels.lastQueryAttention();
            AttentionOutputs outputs = AttentionOutputs.of(new float[width]);
            attention.forward(outputs, problem.inputs, problem.sequences, problem.shape);
            AttentionInputs gradients = AttentionInputs.of(new float[width], new float[size], new float[size]);
            float[] all = new float[width + 2 * size];
            return () -> {
                attention.backward(gradients, dOutputs, outputs, problem.inputs, problem.sequences, problem.shape);
                System.arraycopy(gradients.queries(), 0, all, 0, width);
                System.arraycopy(gradients.keys(), 0, all, width, size);
                System.arraycopy(gradients.values(), 0, all, width + size, size);
                return all;
            };
        };
        int roundings = 8 * width + AttentionProblem.LENGTH;
        return referred(
                "lastQueryAttention.backward",
                "attention of the last of 64 positions, backward",
                A_LITTLE_FASTER,
                roundings,
                calls);
    }

    private static final class AttentionProblem {
        private static final int LENGTH = 64;
        private static final int WIDTH = 32;
        private final AttentionShape shape = new AttentionShape(AttentionShape.Weighting.SOFTMAX, 1, WIDTH, 0.25f);
        private final RaggedOffsets sequences = RaggedOffsets.ofLengths(LENGTH);
        private final AttentionInputs inputs =
                AttentionInputs.of(random(LENGTH * WIDTH, 4), random(LENGTH * WIDTH, 5), random(LENGTH * WIDTH, 6));
    }

    private static SelfCheck.Probe activation() {
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

    private static SelfCheck.Probe activationGradients() {
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

    private static SelfCheck.Probe feedForward() {
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

    private static SelfCheck.Probe feedForwardGradients() {
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

    private static SelfCheck.Probe dropout() {
        float[] x = random(ELEMENTS, 1);
        float[] y = new float[ELEMENTS];
        var stream = new RandomStream(1, 2, 3);
        return referred("dropout.forward", "dropout", FASTER, 2, kernels -> {
            Dropout dropout = kernels.dropout();
            return () -> {
                dropout.forward(y, 0, x, 0, ELEMENTS, 0.1, stream);
                return y;
            };
        });
    }

    private static SelfCheck.Probe quantization() {
        float[] x = random(ELEMENTS, 1);
        float[] y = new float[ELEMENTS];
        var stream = new RandomStream(1, 2, 3);
        var rounding = new Rounding(FloatFormat.BINARY16, Rounding.Mode.STOCHASTIC, true, false);
        return referred("quantization.round", "stochastic rounding", FASTER, 1, kernels -> {
            Quantization quantization = kernels.quantization();
            return () -> {
                quantization.round(y, 0, ELEMENTS, x, 0, ELEMENTS, 1, ELEMENTS, rounding, stream);
                return y;
            };
        });
    }

    private static SelfCheck.Probe quantizedSum() {
        float[] a = random(ELEMENTS, 1);
        float[] b = random(ELEMENTS, 2);
        float[] y = new float[ELEMENTS];
        var stream = new RandomStream(1, 2, 3);
        Rounding rounding = Rounding.toNearestEven(FloatFormat.BFLOAT16);
        return referred("quantization.add", "rounded sum of arrays", FASTER, 1, kernels -> {
            Quantization quantization = kernels.quantization();
            return () -> {
                quantization.add(y, 0, a, 0, b, 0, ELEMENTS, rounding, stream);
                return y;
            };
        });
    }

    private static SelfCheck.Probe sum() {
        float[] x = random(ELEMENTS, 1);
        float[] before = random(ELEMENTS, 2);
        float[] y = new float[ELEMENTS];
        double[] exact = new double[ELEMENTS];
        Arrays.setAll(exact, i -> (double) before[i] + x[i]);
        return probe("arithmetic.addInto", "sum of arrays", ALIKE, 2 * ROUNDING, exact, kernels -> {
            Arithmetic arithmetic = kernels.arithmetic();
            return () -> {
                System.arraycopy(before, 0, y, 0, ELEMENTS);
                arithmetic.addInto(y, 0, x, 0, ELEMENTS);
                return y;
            };
        });
    }

    private static SelfCheck.Probe multiple() {
        float[] x = random(ELEMENTS, 1);
        float[] y = new float[ELEMENTS];
        double[] exact = new double[ELEMENTS];
        Arrays.setAll(exact, i -> (double) 0.7f * x[i]);
        return probe("arithmetic.scaleInto", "multiple of an array", SOMEWHAT_FASTER, ROUNDING, exact, kernels -> {
            Arithmetic arithmetic = kernels.arithmetic();
            return () -> {
                arithmetic.scaleInto(y, 0, x, 0, ELEMENTS, 0.7f);
                return y;
            };
        });
    }

    private static SelfCheck.Probe sumOfRows() {
        int n = 64;
        float[] x = random(n * n, 1);
        float[] sums = new float[n];
        double[] exact = new double[n];
        for (int i = 0; i < x.length; i++) {
            exact[i % n] += x[i];
        }
        // Partial sums below n.
        return probe("arithmetic.addRowsInto", "sum of rows", SOMEWHAT_FASTER, n * n * ROUNDING, exact, kernels -> {
            Arithmetic arithmetic = kernels.arithmetic();
            return () -> {
                Arrays.fill(sums, 0);
                arithmetic.addRowsInto(sums, 0, x, 0, n, n, n);
                return sums;
            };
        });
    }

    private static SelfCheck.Probe softmax() {
        int rows = 4;
        int columns = 256;
        float[] scores = random(rows * columns, 3);
        float[] values = new float[rows * columns];
        // Probabilities below e^2 / columns with a sum of as many roundings.
        double[] exact = probabilities(scores, rows, columns);
        return probe("softmax.forwardInto", "softmax of rows of 256", FASTER, 8 * ROUNDING, exact, kernels -> {
            Softmax softmax = kernels.softmax();
            Matrix ofValues = Matrix.of(values, rows, columns);
            return () -> {
                System.arraycopy(scores, 0, values, 0, scores.length);
                softmax.forwardInto(ofValues, ofValues);
                return values;
            };
        });
    }

    private static double[] probabilities(float[] scores, int rows, int columns) {
        double[] exact = new double[rows * columns];
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int j = i * columns; j < (i + 1) * columns; j++) {
                exact[j] = Math.exp(scores[j]);
                sum += exact[j];
            }
            for (int j = i * columns; j < (i + 1) * columns; j++) {
                exact[j] /= sum;
            }
        }
        return exact;
    }

    private static SelfCheck.Probe softmaxGradients() {
        int rows = 4;
        int columns = 256;
        float[] y = random(rows * columns, 1);
        float[] dy = random(rows * columns, 2);
        float[] dx = new float[rows * columns];
        double[] exact = new double[rows * columns];
        for (int i = 0; i < rows; i++) {
            double inner = 0;
            for (int j = i * columns; j < (i + 1) * columns; j++) {
                inner += (double) dy[j] * y[j];
            }
            for (int j = i * columns; j < (i + 1) * columns; j++) {
                exact[j] = y[j] * (dy[j] - inner);
            }
        }
        // Sums of 256 products below 1; y need be no softmax.
        String name = "softmax of rows of 256, backward";
        return probe("softmax.backwardInto", name, SOMEWHAT_FASTER, 8 * columns * ROUNDING, exact, kernels -> {
            Softmax softmax = kernels.softmax();
            Matrix ofDx = Matrix.of(dx, rows, columns);
            Matrix ofDy = Matrix.of(dy, rows, columns);
            Matrix ofY = Matrix.of(y, rows, columns);
            return () -> {
                softmax.backwardInto(ofDx, ofDy, ofY);
                return dx;
            };
        });
    }

    private static SelfCheck.Probe crossEntropy() {
        var problem = new CrossEntropyProblem();
        double[] probabilities = problem.probabilities();
        double loss = 0;
        for (int i = 0; i < CrossEntropyProblem.ROWS; i++) {
            loss -= Math.log(probabilities[i * CrossEntropyProblem.COLUMNS + problem.targets[i]]);
        }
        float[] written = new float[1];
        double tolerance = CrossEntropyProblem.COLUMNS * ROUNDING * loss;
        double[] exact = {loss};
        return probe("softmaxCrossEntropy.forward", "cross-entropy", FASTER, tolerance, exact, kernels -> {
            SoftmaxCrossEntropy crossEntropy = kernels.softmaxCrossEntropy();
            Matrix ofLogits = CrossEntropyProblem.matrix(problem.logits);
            return () -> {
                written[0] = (float) crossEntropy.forward(ofLogits, problem.targets, problem.scoredRows, 1);
                return written;
            };
        });
    }

    private static SelfCheck.Probe crossEntropyGradients() {
        var problem = new CrossEntropyProblem();
        int columns = CrossEntropyProblem.COLUMNS;
        double[] exact = problem.probabilities();
        for (int i = 0; i < CrossEntropyProblem.ROWS; i++) {
            exact[i * columns + problem.targets[i]] -= 1;
        }
        float[] dlogits = new float[problem.logits.length];
        String name = "cross-entropy, backward";
        return probe("softmaxCrossEntropy.backward", name, FASTER, 8 * ROUNDING, exact, kernels -> {
            SoftmaxCrossEntropy crossEntropy = kernels.softmaxCrossEntropy();
            Matrix ofLogits = CrossEntropyProblem.matrix(problem.logits);
            Matrix ofDlogits = CrossEntropyProblem.matrix(dlogits);
            return () -> {
                crossEntropy.backward(ofDlogits, ofLogits, problem.targets, problem.scoredRows, 1);
                return dlogits;
            };
        });
    }

    /** Every row is scored. */
    private static final class CrossEntropyProblem {
        private static final int ROWS = 4;
        private static final int COLUMNS = 256;
        private final float[] logits = random(ROWS * COLUMNS, 1);
        private final int[] targets =
                new SplittableRandom(2).ints(ROWS, 0, COLUMNS).toArray();
        private final int[] scoredRows = new int[ROWS];

        static Matrix matrix(float[] array) {
            return Matrix.of(array, ROWS, COLUMNS);
        }

        CrossEntropyProblem() {
            Arrays.setAll(scoredRows, i -> i);
        }

        double[] probabilities() {
            return SelfCheckProbes.probabilities(logits, ROWS, COLUMNS);
        }
    }

    private static SelfCheck.Probe squaredError() {
        float[] y = random(ELEMENTS, 1);
        float[] targets = random(ELEMENTS, 2);
        double loss = 0;
        for (int i = 0; i < ELEMENTS; i++) {
            loss += ((double) y[i] - targets[i]) * ((double) y[i] - targets[i]) / ELEMENTS;
        }
        float[] written = new float[1];
        double tolerance = 256 * ROUNDING * loss;
        double[] exact = {loss};
        return probe("squaredError.forward", "squared error", SOMEWHAT_FASTER, tolerance, exact, kernels -> {
            SquaredError squaredError = kernels.squaredError();
            return () -> {
                written[0] = (float) squaredError.forward(y, 0, targets, 0, 1.0 / ELEMENTS, ELEMENTS);
                return written;
            };
        });
    }

    private static SelfCheck.Probe squaredErrorGradients() {
        float[] y = random(ELEMENTS, 1);
        float[] targets = random(ELEMENTS, 2);
        float[] dy = new float[ELEMENTS];
        double[] exact = new double[ELEMENTS];
        Arrays.setAll(exact, i -> (double) y[i] - targets[i]);
        String name = "squared error, backward";
        return probe("squaredError.backward", name, SOMEWHAT_FASTER, 4 * ROUNDING, exact, kernels -> {
            SquaredError squaredError = kernels.squaredError();
            return () -> {
                squaredError.backward(dy, 0, y, 0, targets, 0, 0.5, ELEMENTS);
                return dy;
            };
        });
    }

    private static SelfCheck.Probe gradientNorm() {
        int parameters = 4 * ELEMENTS;
        float[] gradients = random(parameters, 1);
        double[] exact = new double[1];
        for (float gradient : gradients) {
            exact[0] += (double) gradient * gradient;
        }
        float[] written = new float[1];
        double tolerance = 2 * ROUNDING * exact[0];
        return probe("gradientNorm.squaredNorm", "gradient norm", SOMEWHAT_FASTER, tolerance, exact, kernels -> {
            GradientNorm gradientNorm = kernels.gradientNorm();
            return () -> {
                written[0] = (float) gradientNorm.squaredNorm(gradients, 0, parameters);
                return written;
            };
        });
    }

    /** The corrected moments of the first step are the gradient and its square. */
    private static SelfCheck.Probe optimizerStep() {
        float[] before = random(ELEMENTS, 1);
        float[] gradients = random(ELEMENTS, 2);
        float[] parameters = new float[ELEMENTS];
        float[] firstMoments = new float[ELEMENTS];
        float[] secondMoments = new float[ELEMENTS];
        var rule = new AdamW(1e-2, 0.9, 0.999, 1e-8, 0.01);
        double[] exact = new double[ELEMENTS];
        Arrays.setAll(
                exact,
                i -> before[i]
                        - rule.learningRate()
                                * (gradients[i] / (Math.abs(gradients[i]) + rule.epsilon())
                                        + rule.weightDecay() * before[i]));
        return probe("optimizerStep.step", "AdamW step", ALIKE, 4 * ROUNDING, exact, kernels -> {
            OptimizerStep optimizerStep = kernels.optimizerStep();
            var coefficients = Coefficients.of(rule, 1, 1, 1);
            return () -> {
                System.arraycopy(before, 0, parameters, 0, ELEMENTS);
                Arrays.fill(firstMoments, 0);
                Arrays.fill(secondMoments, 0);
                optimizerStep.step(parameters, firstMoments, secondMoments, gradients, coefficients, 0, ELEMENTS);
                return parameters;
            };
        });
    }

    private static SelfCheck.Probe probe(
            String method,
            String name,
            double minRatio,
            double tolerance,
            double[] exact,
            Function<Kernels, SelfCheck.Call> calls) {
        return new SelfCheck.Probe(method, name, calls, i -> exact[i], tolerance, minRatio);
    }

    /** Expects what the reference gives, but for so many roundings of its largest number. */
    private static SelfCheck.Probe referred(
            String method, String name, double minRatio, int roundings, Function<Kernels, SelfCheck.Call> calls) {
        float[] reference = calls.apply(Kernels.scalar()).run().clone();
        double maximum = 0;
        double[] exact = new double[reference.length];
        for (int i = 0; i < exact.length; i++) {
            exact[i] = reference[i];
            maximum = Math.max(maximum, Math.abs(reference[i]));
        }
        return probe(method, name, minRatio, roundings * ROUNDING * maximum, exact, calls);
    }

    private static float[] random(int length, long seed) {
        var random = new SplittableRandom(seed);
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextDouble(-1, 1);
        }
        return x;
    }
}
