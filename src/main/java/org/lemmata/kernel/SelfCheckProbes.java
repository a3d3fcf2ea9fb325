package org.lemmata.kernel;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.lemmata.kernel.arithmetic.Arithmetic;
import org.lemmata.kernel.dropout.Dropout;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.loss.SoftmaxCrossEntropy;
import org.lemmata.kernel.loss.SquaredError;
import org.lemmata.kernel.matrix.Matrix;
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
    static final double FASTER = 3;

    /** They gain 2.9 to 5 times where that is less, and a kernel that was not compiled is slower than the reference. */
    static final double SOMEWHAT_FASTER = 1.5;

    /** What multiplies numbers that are read once. */
    static final double A_LITTLE_FASTER = 1.1;

    /**
     * C2 makes lanes of these references, the widest there are even where {@link Species#PROPERTY} names narrower ones:
     * 0.5 to 1 was measured, and 0.02 before the kernel was compiled.
     */
    static final double ALIKE = 0.3;

    /** Half an ulp of numbers from 1 to 2: what one rounding does to them at most. */
    static final double ROUNDING = 0x1p-24;

    static final int ELEMENTS = 1024;

    private SelfCheckProbes() {}

    /** In the order of {@link Kernels}. */
    static List<SelfCheck.Probe> all() {
        return List.of(
                LayerProbes.embedding(),
                LayerProbes.embeddingGradients(),
                LayerProbes.normalization(),
                LayerProbes.normalizationGradients(),
                LayerProbes.matMul(),
                LayerProbes.matMulAddBias(),
                AttentionProbes.attention(),
                AttentionProbes.attentionGradients(),
                AttentionProbes.attentionOverCache(),
                AttentionProbes.lastQueryAttention(),
                AttentionProbes.lastQueryAttentionGradients(),
                LayerProbes.activation(),
                LayerProbes.activationGradients(),
                LayerProbes.feedForward(),
                LayerProbes.feedForwardGradients(),
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

    static SelfCheck.Probe probe(
            String method,
            String name,
            double minRatio,
            double tolerance,
            double[] exact,
            Function<Kernels, SelfCheck.Call> calls) {
        return new SelfCheck.Probe(method, name, calls, i -> exact[i], tolerance, minRatio);
    }

    /** Expects what the reference gives, but for so many roundings of its largest number. */
    static SelfCheck.Probe referred(
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

    static float[] random(int length, long seed) {
        var random = new SplittableRandom(seed);
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextDouble(-1, 1);
        }
        return x;
    }
}
