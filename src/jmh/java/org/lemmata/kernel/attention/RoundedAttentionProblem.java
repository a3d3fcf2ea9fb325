package org.lemmata.kernel.attention;

import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.elementary.ScalarExp;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.Quantization;
import org.lemmata.kernel.quantization.VectorQuantization;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.GridFormat;
import org.lemmata.number.Rounding;
import org.lemmata.number.ThresholdFormat;
import org.lemmata.random.RandomStream;

/**
 * Causal softmax attention on normally distributed numbers, unrounded or with rounded sites. It is compared with a
 * binary64 computation on the unrounded inputs.
 */
final class RoundedAttentionProblem {

    /**
     * The errors of the checked rows, absolute and in ulps of the format at the sum of the absolute terms.
     * {@code changedArgmax} is the share of rows whose maximum weight is at another key than in binary64.
     */
    record Errors(double max, double mean, double maxUlps, double meanUlps, double changedArgmax) {}

    private static final long SEED = 20251121;

    private static final int HEAD_WIDTH = 64;

    /** The step from one checked row to the next. Checking all rows would take longer than the measurement. */
    private static final int CHECKED_ROWS = 31;

    private static final RandomStream INPUT_STREAM = new RandomStream(SEED, 1, 0);

    private static final int HALF = 1 << 31;

    private final Quantization quantization = new VectorQuantization(Workers.caller());
    private final @Nullable Rounding rounding;
    private final @Nullable Rounding inputSite;
    private final AttentionRounding sites;
    private final Attention attention;
    private final AttentionShape shape;
    private final RaggedOffsets sequences;
    private final int length;

    /** The drawn inputs. {@code inputs} are these inputs, rounded for the kernel. */
    private final AttentionInputs drawn;

    private final AttentionInputs inputs;
    private final AttentionOutputs drawnGradients;
    private final AttentionOutputs dOutputs;
    private final AttentionOutputs outputs;
    private final AttentionOutputs unsaved;
    private final AttentionInputs dInputs;

    /** @param rounding null for no rounding */
    RoundedAttentionProblem(@Nullable Rounding rounding, String site, int length) {
        this.rounding = rounding;
        this.length = length;
        shape = AttentionShape.softmax(heads(length), HEAD_WIDTH);
        sequences = RaggedOffsets.ofLengths(length);
        sites = rounding == null ? new AttentionRounding(null, null, null, null, null) : sites(rounding, site);
        boolean roundsInputs = site.equals("inputs") || site.equals("tensors") || site.equals("everything");
        inputSite = roundsInputs ? rounding : null;
        attention = rounding == null
                ? new VectorAttention(Workers.caller())
                : new RoundedAttention(sites, new RandomStream(SEED, 0, 0), Workers.caller());
        int size = length * shape.width();
        drawn = AttentionInputs.of(new float[size], new float[size], new float[size]);
        inputs = inputSite == null ? drawn : AttentionInputs.of(new float[size], new float[size], new float[size]);
        drawnGradients = AttentionOutputs.of(new float[size]);
        dOutputs = inputSite == null ? drawnGradients : AttentionOutputs.of(new float[size]);
        outputs = AttentionOutputs.zeros(sequences, shape);
        unsaved = AttentionOutputs.of(outputs.outputs());
        dInputs = AttentionInputs.zeros(sequences, shape);
        Random random = new Random(SEED);
        for (int i = 0; i < size; i++) {
            drawn.queries()[i] = (float) random.nextGaussian();
            drawn.keys()[i] = (float) random.nextGaussian();
            drawn.values()[i] = (float) random.nextGaussian();
            drawnGradients.outputs()[i] = (float) random.nextGaussian();
        }
    }

    /** The number of heads: 8 up to length 1024, then fewer, so that tokens times heads stays 8192. */
    private static int heads(int length) {
        return Math.clamp(8192 / length, 1, 8);
    }

    private static AttentionRounding sites(Rounding rounding, String site) {
        return switch (site) {
            case "tensors" -> new AttentionRounding(rounding, rounding, null, rounding, rounding);
            case "everything" -> new AttentionRounding(rounding, rounding, rounding, rounding, rounding);
            case "inputs" -> new AttentionRounding(null, null, null, null, null);
            case "scores" -> new AttentionRounding(rounding, null, null, null, null);
            case "exponentials" -> new AttentionRounding(null, rounding, null, null, null);
            case "sums" -> new AttentionRounding(null, null, rounding, null, null);
            case "outputs" -> new AttentionRounding(null, null, null, rounding, null);
            default ->
                throw new IllegalArgumentException("site: expected tensors, everything, inputs, scores, exponentials,"
                        + " sums or outputs, got " + site);
        };
    }

    int tokens() {
        return length;
    }

    double forwardFlops() {
        return 4.0 * shape.width() * (length * (length + 1.0) / 2);
    }

    /** The operations of five products, while the forward pass has two. */
    double backwardFlops() {
        return 2.5 * forwardFlops();
    }

    float[] forward() {
        roundInputs();
        attention.forward(unsaved, inputs, sequences, shape);
        return unsaved.outputs();
    }

    float[] forwardBackward() {
        roundInputs();
        round(dOutputs.outputs(), drawnGradients.outputs(), 3);
        attention.forward(outputs, inputs, sequences, shape);
        attention.backward(dInputs, dOutputs, outputs, inputs, sequences, shape);
        return dInputs.values();
    }

    private void roundInputs() {
        round(inputs.queries(), drawn.queries(), 0);
        round(inputs.keys(), drawn.keys(), 1);
        round(inputs.values(), drawn.values(), 2);
    }

    private void round(float[] y, float[] x, int part) {
        if (inputSite != null) {
            Matrix from = Matrix.of(x, length, shape.width());
            quantization.round(Matrix.of(y, length, shape.width()), from, inputSite, INPUT_STREAM.part(part));
        }
    }

    Errors errors() {
        double max = 0;
        double sum = 0;
        double maxUlps = 0;
        double sumUlps = 0;
        int changed = 0;
        int rows = 0;
        for (int row = length - 1; row >= 0; row -= CHECKED_ROWS) {
            for (int head = 0; head < shape.heads(); head++) {
                double[] weights = exactWeights(row, head);
                double total = 0;
                for (double weight : weights) {
                    total += weight;
                }
                for (int d = head * HEAD_WIDTH; d < (head + 1) * HEAD_WIDTH; d++) {
                    double exact = 0;
                    double magnitude = 0;
                    for (int j = 0; j <= row; j++) {
                        double term = weights[j] / total * drawn.values()[j * shape.width() + d];
                        exact += term;
                        magnitude += Math.abs(term);
                    }
                    double error = Math.abs(outputs.outputs()[row * shape.width() + d] - exact);
                    double ulps = error / ulp(magnitude);
                    max = Math.max(max, error);
                    maxUlps = Math.max(maxUlps, ulps);
                    sum += error;
                    sumUlps += ulps;
                }
                changed += isArgmax(roundedWeights(row, head), argmax(weights)) ? 0 : 1;
                rows++;
            }
        }
        double numbers = (double) rows * HEAD_WIDTH;
        return new Errors(max, sum / numbers, maxUlps, sumUlps / numbers, (double) changed / rows);
    }

    /**
     * The distance between neighbors of {@code x} in the format, or in binary32 without rounding. For a threshold, the
     * threshold itself.
     */
    private double ulp(double x) {
        if (rounding == null) {
            return FloatFormat.BINARY32.ulp(x);
        }
        return switch (rounding.format()) {
            case FloatFormat format -> format.ulp(x);
            case ThresholdFormat threshold -> Math.scalb(1.0, -threshold.p());
            case GridFormat grid -> grid.step();
            default -> Math.ulp((float) x);
        };
    }

    /** The weights of the unrounded inputs, in binary64, not normalized. */
    private double[] exactWeights(int row, int head) {
        double[] weights = new double[row + 1];
        double maximum = Double.NEGATIVE_INFINITY;
        for (int j = 0; j <= row; j++) {
            for (int d = head * HEAD_WIDTH; d < (head + 1) * HEAD_WIDTH; d++) {
                weights[j] += (double) drawn.queries()[row * shape.width() + d] * drawn.keys()[j * shape.width() + d];
            }
            weights[j] *= shape.scoreScale();
            maximum = Math.max(maximum, weights[j]);
        }
        for (int j = 0; j <= row; j++) {
            weights[j] = Math.exp(weights[j] - maximum);
        }
        return weights;
    }

    /**
     * The weights that the kernel would compute, before normalization, if the random numbers of stochastic sites were
     * 1/2.
     */
    private float[] roundedWeights(int row, int head) {
        float[] weights = new float[row + 1];
        float maximum = Float.NEGATIVE_INFINITY;
        for (int j = 0; j <= row; j++) {
            float sum = 0;
            for (int d = head * HEAD_WIDTH; d < (head + 1) * HEAD_WIDTH; d++) {
                float query = inputs.queries()[row * shape.width() + d];
                float key = inputs.keys()[j * shape.width() + d];
                Rounding sums = sites.sums();
                // As in the kernel, the exact product is rounded once.
                sum = sums == null
                        ? Math.fma(query, key, sum)
                        : sums.roundSum(sum, (float) sums.round((double) query * key, HALF), HALF);
            }
            weights[j] = round(sites.scores(), shape.scoreScale() * sum);
            maximum = Math.max(maximum, weights[j]);
        }
        for (int j = 0; j <= row; j++) {
            weights[j] = round(sites.exponentials(), ScalarExp.exp(weights[j] - maximum));
        }
        return weights;
    }

    private static float round(@Nullable Rounding rounding, float x) {
        return rounding == null ? x : rounding.round(x, HALF);
    }

    private static int argmax(double[] weights) {
        int maximum = 0;
        for (int j = 1; j < weights.length; j++) {
            maximum = weights[j] > weights[maximum] ? j : maximum;
        }
        return maximum;
    }

    /** Whether all other weights are smaller. */
    private static boolean isArgmax(float[] weights, int index) {
        for (int j = 0; j < weights.length; j++) {
            if (j != index && !(weights[j] < weights[index])) {
                return false;
            }
        }
        return true;
    }
}
