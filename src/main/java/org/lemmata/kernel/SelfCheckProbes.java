package org.lemmata.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.cached.AttentionCache;
import org.lemmata.kernel.attention.cached.CachedAttention;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.optimizer.GradientNorm;
import org.lemmata.kernel.problem.ActivationProblem;
import org.lemmata.kernel.problem.ArithmeticProblem;
import org.lemmata.kernel.problem.AttentionProblem;
import org.lemmata.kernel.problem.CrossEntropyProblem;
import org.lemmata.kernel.problem.DropoutProblem;
import org.lemmata.kernel.problem.EmbeddingProblem;
import org.lemmata.kernel.problem.Expected;
import org.lemmata.kernel.problem.FeedForwardProblem;
import org.lemmata.kernel.problem.MatMulProblem;
import org.lemmata.kernel.problem.NormalizationProblem;
import org.lemmata.kernel.problem.Numbers;
import org.lemmata.kernel.problem.OptimizerStepProblem;
import org.lemmata.kernel.problem.QuantizationProblem;
import org.lemmata.kernel.problem.SoftmaxProblem;
import org.lemmata.kernel.problem.SquaredErrorProblem;
import org.lemmata.kernel.problem.Workload;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

/**
 * A small call of every method of every operation. The expected result is computed in binary64 if that takes a few
 * lines; otherwise it is that of the reference, which the tests compare with binary64.
 */
final class SelfCheckProbes {

    /** Minimum speed-up for a sum or a polynomial per element; lanes of 128 bits already exceed it. */
    static final double FASTER = 3;

    /** Minimum for less work per element, with measured speed-ups of 2.9 to 5; uncompiled kernels are below 1. */
    static final double SOMEWHAT_FASTER = 1.5;

    /** Minimum for products of numbers that are read once. */
    static final double A_LITTLE_FASTER = 1.1;

    /**
     * Minimum if C2 vectorizes the reference too, with the widest lanes even if {@link Species#PROPERTY} sets narrower
     * ones: measured were 0.5 to 1, and 0.02 before the kernel was compiled.
     */
    private static final double ALIKE = 0.3;

    /** Not a multiple of any number of lanes, so that the code for remaining elements also runs. */
    private static final int ELEMENTS = 1027;

    private final List<SelfCheck.Probe> probes = new ArrayList<>();

    private SelfCheckProbes() {}

    /** In the order of {@link Kernels}. */
    static List<SelfCheck.Probe> all() {
        var all = new SelfCheckProbes();
        var table = new EmbeddingProblem(64, 64, 16, 64);
        all.add("embedding.forward", "embedding", SOMEWHAT_FASTER, Kernels::embedding, table.forward());
        all.add("embedding.backward", "embedding, backward", SOMEWHAT_FASTER, Kernels::embedding, table.backward());
        var norm = new NormalizationProblem(48, 48, Normalization.Kind.LAYER);
        String name = "layer normalization";
        all.add("normalization.forward", name, SOMEWHAT_FASTER, Kernels::normalization, norm.forward());
        all.add(
                "normalization.backward",
                name + ", backward",
                SOMEWHAT_FASTER,
                Kernels::normalization,
                norm.backward());
        var matMul = new MatMulProblem(MatMul.Form.NN, 32, 32, 32);
        name = "matrix product 32³";
        all.add("matMul.multiply", name, FASTER, Kernels::matMul, matMul.multiply());
        all.add("matMul.multiplyAddBias", name + " with bias", FASTER, Kernels::matMul, matMul.multiplyAddBias());
        new AttentionProbes().addTo(all);
        var gelu = new ActivationProblem(Activation.Kind.GELU, ELEMENTS);
        all.add("activation.forwardInto", "GELU", SOMEWHAT_FASTER, Kernels::activation, gelu.forward());
        all.add("activation.backwardInto", "GELU, backward", SOMEWHAT_FASTER, Kernels::activation, gelu.backward());
        var layer = new FeedForwardProblem(24, 32, 64);
        // Computes the values that the backward pass reads.
        layer.forward().run(Kernels.scalar().feedForward());
        name = "feed-forward layer";
        all.add("feedForward.forward", name, FASTER, Kernels::feedForward, layer.forward());
        all.add("feedForward.backward", name + ", backward", FASTER, Kernels::feedForward, layer.backward());
        all.add("dropout.forward", "dropout", FASTER, Kernels::dropout, new DropoutProblem(0.1, ELEMENTS).forward());
        var stochastic = new Rounding(FloatFormat.BINARY16, Rounding.Mode.STOCHASTIC, true, false);
        var rounded = new QuantizationProblem(stochastic, ELEMENTS);
        all.add("quantization.round", "stochastic rounding", FASTER, Kernels::quantization, rounded.round());
        var sum = new QuantizationProblem(Rounding.toNearestEven(FloatFormat.BFLOAT16), ELEMENTS);
        all.add("quantization.add", "rounded sum of arrays", FASTER, Kernels::quantization, sum.add());
        var arrays = new ArithmeticProblem(64, 16);
        all.add("arithmetic.addInto", "sum of arrays", ALIKE, Kernels::arithmetic, arrays.add());
        all.add("arithmetic.scaleInto", "multiple of an array", SOMEWHAT_FASTER, Kernels::arithmetic, arrays.scale());
        var rows = new ArithmeticProblem(64, 64);
        all.add("arithmetic.addRowsInto", "sum of rows", SOMEWHAT_FASTER, Kernels::arithmetic, rows.addRows());
        var softmax = new SoftmaxProblem(4, 256);
        name = "softmax of rows of 256";
        all.add("softmax.forwardInto", name, FASTER, Kernels::softmax, softmax.forward());
        all.add("softmax.backwardInto", name + ", backward", SOMEWHAT_FASTER, Kernels::softmax, softmax.backward());
        var loss = new CrossEntropyProblem(4, 256);
        name = "cross-entropy";
        all.add("softmaxCrossEntropy.forward", name, FASTER, Kernels::softmaxCrossEntropy, loss.forward());
        name = "cross-entropy, backward";
        all.add("softmaxCrossEntropy.backward", name, FASTER, Kernels::softmaxCrossEntropy, loss.backward());
        var error = new SquaredErrorProblem(ELEMENTS);
        name = "squared error";
        all.add("squaredError.forward", name, SOMEWHAT_FASTER, Kernels::squaredError, error.forward());
        all.add("squaredError.backward", name + ", backward", SOMEWHAT_FASTER, Kernels::squaredError, error.backward());
        all.add("gradientNorm.squaredNorm", "gradient norm", SOMEWHAT_FASTER, Kernels::gradientNorm, gradientNorm());
        var adamW = new OptimizerStepProblem(new AdamW(1e-3, 0.9, 0.999, 1e-8, 0.01), ELEMENTS);
        all.add("optimizerStep.step", "AdamW step", ALIKE, Kernels::optimizerStep, adamW.step(13, 28));
        return all.probes;
    }

    /** The probes of attention, with one head and one sequence. */
    private static final class AttentionProbes {

        private static final int LENGTH = 64;
        private static final int WIDTH = 32;

        private final AttentionProblem problem =
                new AttentionProblem(AttentionShape.softmax(1, WIDTH).withScoreScale(0.125f), 1, LENGTH);
        private final AttentionOutputs last = AttentionOutputs.of(new float[WIDTH]);

        void addTo(SelfCheckProbes all) {
            // Computes the values that the backward passes read.
            problem.forwardAndBackward().run(Kernels.scalar().attention());
            runLastQuery(Kernels.scalar().cachedAttention());
            String name = "attention of length 64";
            all.add("attention.forward", name, FASTER, Kernels::attention, problem.forward());
            all.add("attention.backward", name + ", backward", FASTER, Kernels::attention, problem.backward());
            name = "attention over a cache of length 64";
            all.add("cachedAttention.forward", name, FASTER, Kernels::cachedAttention, overCache());
            name = "attention of the last of 64 positions";
            all.add("cachedAttention.forward", name, SOMEWHAT_FASTER, Kernels::cachedAttention, lastQuery());
            name += ", backward";
            all.add("cachedAttention.backward", name, A_LITTLE_FASTER, Kernels::cachedAttention, lastQueryBackward());
        }

        /** Four sequences of lengths 64, 63, ...; the queries are those of the first rows. */
        private Workload<CachedAttention> overCache() {
            int[] sequences = {0, 1, 2, 3};
            var cache = new AttentionCache(problem.shape(), sequences.length, LENGTH);
            for (int sequence : sequences) {
                cache.append(sequence, problem.inputs(), 0, LENGTH - sequence);
            }
            AttentionOutputs outputs = AttentionOutputs.of(new float[sequences.length * WIDTH]);
            return new Workload<>(
                    outputs.outputs(),
                    attention -> attention.forward(outputs, problem.inputs(), cache, sequences, sequences.length),
                    at -> output(at / WIDTH, LENGTH - at / WIDTH, at % WIDTH),
                    problem.forward().maxUlps(),
                    4.0 * outputs.outputs().length * LENGTH,
                    8.0 * outputs.outputs().length * LENGTH);
        }

        private Expected output(int query, int length, int d) {
            return problem.outputs(query, 0, length, 0)[d];
        }

        /** The query is that of the first row. */
        private void runLastQuery(CachedAttention attention) {
            attention.forward(last, problem.inputs(), problem.sequences(), problem.shape());
        }

        private Workload<CachedAttention> lastQuery() {
            double elements = WIDTH * LENGTH;
            return new Workload<>(
                    last.outputs(),
                    this::runLastQuery,
                    d -> output(0, LENGTH, d),
                    problem.forward().maxUlps(),
                    4 * elements,
                    8 * elements);
        }

        private Workload<CachedAttention> lastQueryBackward() {
            int size = LENGTH * WIDTH;
            AttentionInputs dInputs = AttentionInputs.of(new float[WIDTH], new float[size], new float[size]);
            float[] all = new float[WIDTH + 2 * size];
            return new Workload<>(
                    all,
                    attention -> {
                        attention.backward(
                                dInputs,
                                problem.dOutputs(),
                                last,
                                problem.inputs(),
                                problem.sequences(),
                                problem.shape());
                        System.arraycopy(dInputs.queries(), 0, all, 0, WIDTH);
                        System.arraycopy(dInputs.keys(), 0, all, WIDTH, size);
                        System.arraycopy(dInputs.values(), 0, all, WIDTH + size, size);
                    },
                    null,
                    problem.backward().maxUlps(),
                    10.0 * size,
                    16.0 * size);
        }
    }

    private static Workload<GradientNorm> gradientNorm() {
        float[] gradients = Numbers.uniform(4 * ELEMENTS, -1, 1, new SplittableRandom(1));
        float[] written = new float[1];
        return new Workload<>(
                written,
                gradientNorm -> written[0] = (float) gradientNorm.squaredNorm(gradients, 0, gradients.length),
                _ -> Expected.of(gradients.length, i -> (double) gradients[i] * gradients[i]),
                1,
                2.0 * gradients.length,
                4.0 * gradients.length);
    }

    /**
     * Adds a probe. The expected result is that of the workload or, if it has none, that of the reference, up to
     * rounding.
     *
     * @param method the component of {@link Kernels} and its method
     * @param name name in the output
     * @param minRatio minimum speed relative to the reference
     */
    <K> void add(String method, String name, double minRatio, Function<Kernels, K> operation, Workload<K> workload) {
        float[] reference = workload.run(operation.apply(Kernels.scalar())).clone();
        IntFunction<Expected> expected = workload.exact();
        double[] exact = new double[reference.length];
        double size = 0;
        for (int i = 0; i < exact.length; i++) {
            Expected sum = expected == null ? Expected.of(reference[i]) : expected.apply(i);
            exact[i] = sum.value();
            size = Math.max(size, sum.size());
        }
        probes.add(new SelfCheck.Probe(
                method,
                name,
                kernels -> {
                    K implementation = operation.apply(kernels);
                    return () -> workload.run(implementation);
                },
                i -> exact[i],
                workload.maxUlps() * 0x1p-23 * size,
                minRatio));
    }
}
