package org.lemmata.kernel;

import static org.lemmata.kernel.SelfCheckProbes.A_LITTLE_FASTER;
import static org.lemmata.kernel.SelfCheckProbes.FASTER;
import static org.lemmata.kernel.SelfCheckProbes.ROUNDING;
import static org.lemmata.kernel.SelfCheckProbes.SOMEWHAT_FASTER;
import static org.lemmata.kernel.SelfCheckProbes.probe;
import static org.lemmata.kernel.SelfCheckProbes.random;
import static org.lemmata.kernel.SelfCheckProbes.referred;

import java.util.function.Function;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionCache;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.CachedAttention;

/** The probes of attention among {@link SelfCheckProbes}. */
final class AttentionProbes {

    private AttentionProbes() {}

    static SelfCheck.Probe attention() {
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

    static SelfCheck.Probe attentionGradients() {
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

    static SelfCheck.Probe attentionOverCache() {
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
        return referred(
                "cachedAttention.forward", "attention over a cache of length 64", FASTER, roundings, kernels -> {
                    CachedAttention attention = kernels.cachedAttention();
                    return () -> {
                        attention.forward(written, problem.inputs, cache, sequences, sequences.length);
                        return outputs;
                    };
                });
    }

    static SelfCheck.Probe lastQueryAttention() {
        var problem = new AttentionProblem();
        float[] outputs = new float[AttentionProblem.WIDTH];
        AttentionOutputs written = AttentionOutputs.of(outputs);
        // The query is that of the first row.
        int roundings = 8 * AttentionProblem.WIDTH + AttentionProblem.LENGTH;
        return referred(
                "cachedAttention.forward",
                "attention of the last of 64 positions",
                SOMEWHAT_FASTER,
                roundings,
                kernels -> {
                    CachedAttention attention = kernels.cachedAttention();
                    return () -> {
                        attention.forward(written, problem.inputs, problem.sequences, problem.shape);
                        return outputs;
                    };
                });
    }

    static SelfCheck.Probe lastQueryAttentionGradients() {
        var problem = new AttentionProblem();
        int width = AttentionProblem.WIDTH;
        int size = AttentionProblem.LENGTH * width;
        AttentionOutputs dOutputs = AttentionOutputs.of(random(width, 9));
        Function<Kernels, SelfCheck.Call> calls = kernels -> {
            CachedAttention attention = kernels.cachedAttention();
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
                "cachedAttention.backward",
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
}
