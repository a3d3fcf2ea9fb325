package org.lemmata.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.optimizer.GradientNorm;
import org.lemmata.kernel.problem.ActivationProblem;
import org.lemmata.kernel.problem.ArithmeticProblem;
import org.lemmata.kernel.problem.CrossEntropyProblem;
import org.lemmata.kernel.problem.DropoutProblem;
import org.lemmata.kernel.problem.EmbeddingProblem;
import org.lemmata.kernel.problem.FeedForwardProblem;
import org.lemmata.kernel.problem.MatMulProblem;
import org.lemmata.kernel.problem.NormalizationProblem;
import org.lemmata.kernel.problem.Numbers;
import org.lemmata.kernel.problem.OptimizerStepProblem;
import org.lemmata.kernel.problem.QuantizationProblem;
import org.lemmata.kernel.problem.SoftmaxProblem;
import org.lemmata.kernel.problem.SquaredErrorProblem;
import org.lemmata.kernel.problem.Sum;
import org.lemmata.kernel.problem.Workload;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;

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
    private static final double ALIKE = 0.3;

    /** No multiple of any number of lanes, so that what is left over is computed, too. */
    private static final int ELEMENTS = 1027;

    private SelfCheckProbes() {}

    /** In the order of {@link Kernels}. */
    static List<SelfCheck.Probe> all() {
        var embedding = new EmbeddingProblem(64, 64, 16, 64);
        var normalization = new NormalizationProblem(48, 48, Normalization.Kind.LAYER);
        var matMul = new MatMulProblem(MatMul.Form.NN, 32, 32, 32);
        var activation = new ActivationProblem(Activation.Kind.GELU, ELEMENTS);
        var feedForward = new FeedForwardProblem(24, 32, 64);
        // What the backward pass reads.
        feedForward.forward().run(Kernels.scalar().feedForward());
        var dropout = new DropoutProblem(0.1, ELEMENTS);
        var rounded = new QuantizationProblem(
                new Rounding(FloatFormat.BINARY16, Rounding.Mode.STOCHASTIC, true, false), ELEMENTS);
        var roundedSum = new QuantizationProblem(Rounding.toNearestEven(FloatFormat.BFLOAT16), ELEMENTS);
        var arithmetic = new ArithmeticProblem(64, 16);
        var rows = new ArithmeticProblem(64, 64);
        var softmax = new SoftmaxProblem(4, 256);
        var crossEntropy = new CrossEntropyProblem(4, 256);
        var squaredError = new SquaredErrorProblem(ELEMENTS);
        var adamW = new OptimizerStepProblem(new AdamW(1e-3, 0.9, 0.999, 1e-8, 0.01), ELEMENTS);
        return Stream.of(
                        of(
                                "embedding",
                                Kernels::embedding,
                                call("forward", "embedding", SOMEWHAT_FASTER, embedding.forward()),
                                call("backward", "embedding, backward", SOMEWHAT_FASTER, embedding.backward())),
                        of(
                                "normalization",
                                Kernels::normalization,
                                call("forward", "layer normalization", SOMEWHAT_FASTER, normalization.forward()),
                                call(
                                        "backward",
                                        "layer normalization, backward",
                                        SOMEWHAT_FASTER,
                                        normalization.backward())),
                        of(
                                "matMul",
                                Kernels::matMul,
                                call("multiply", "matrix product 32³", FASTER, matMul.multiply()),
                                call(
                                        "multiplyAddBias",
                                        "matrix product 32³ with bias",
                                        FASTER,
                                        matMul.multiplyAddBias())),
                        new AttentionProbes().all(),
                        of(
                                "activation",
                                Kernels::activation,
                                call("forwardInto", "GELU", SOMEWHAT_FASTER, activation.forward()),
                                call("backwardInto", "GELU, backward", SOMEWHAT_FASTER, activation.backward())),
                        of(
                                "feedForward",
                                Kernels::feedForward,
                                call("forward", "feed-forward layer", FASTER, feedForward.forward()),
                                call("backward", "feed-forward layer, backward", FASTER, feedForward.backward())),
                        of("dropout", Kernels::dropout, call("forward", "dropout", FASTER, dropout.forward())),
                        of(
                                "quantization",
                                Kernels::quantization,
                                call("round", "stochastic rounding", FASTER, rounded.round()),
                                call("add", "rounded sum of arrays", FASTER, roundedSum.add())),
                        of(
                                "arithmetic",
                                Kernels::arithmetic,
                                call("addInto", "sum of arrays", ALIKE, arithmetic.add()),
                                call("scaleInto", "multiple of an array", SOMEWHAT_FASTER, arithmetic.scale()),
                                call("addRowsInto", "sum of rows", SOMEWHAT_FASTER, rows.addRows())),
                        of(
                                "softmax",
                                Kernels::softmax,
                                call("forwardInto", "softmax of rows of 256", FASTER, softmax.forward()),
                                call(
                                        "backwardInto",
                                        "softmax of rows of 256, backward",
                                        SOMEWHAT_FASTER,
                                        softmax.backward())),
                        of(
                                "softmaxCrossEntropy",
                                Kernels::softmaxCrossEntropy,
                                call("forward", "cross-entropy", FASTER, crossEntropy.forward()),
                                call("backward", "cross-entropy, backward", FASTER, crossEntropy.backward())),
                        of(
                                "squaredError",
                                Kernels::squaredError,
                                call("forward", "squared error", SOMEWHAT_FASTER, squaredError.forward()),
                                call("backward", "squared error, backward", SOMEWHAT_FASTER, squaredError.backward())),
                        of(
                                "gradientNorm",
                                Kernels::gradientNorm,
                                call("squaredNorm", "gradient norm", SOMEWHAT_FASTER, gradientNorm())),
                        of(
                                "optimizerStep",
                                Kernels::optimizerStep,
                                call("step", "AdamW step", ALIKE, adamW.step(13, 28))))
                .flatMap(List::stream)
                .toList();
    }

    private static Workload<GradientNorm> gradientNorm() {
        float[] gradients = Numbers.uniform(4 * ELEMENTS, -1, 1, new SplittableRandom(1));
        float[] written = new float[1];
        return new Workload<>(
                () -> {},
                gradientNorm -> {
                    written[0] = (float) gradientNorm.squaredNorm(gradients, 0, gradients.length);
                    return written;
                },
                _ -> Sum.of(gradients.length, i -> (double) gradients[i] * gradients[i]),
                1,
                2.0 * gradients.length,
                4.0 * gradients.length);
    }

    /** A method of an operation, its name for people, and how much faster than the reference it has to be. */
    record Call<K>(String method, String name, double minRatio, Workload<K> workload) {}

    static <K> Call<K> call(String method, String name, double minRatio, Workload<K> workload) {
        return new Call<>(method, name, minRatio, workload);
    }

    /** The probes of a component of {@link Kernels}. */
    @SafeVarargs
    static <K> List<SelfCheck.Probe> of(String component, Function<Kernels, K> operation, Call<K>... calls) {
        List<SelfCheck.Probe> probes = new ArrayList<>();
        for (Call<K> call : calls) {
            probes.add(probe(component, operation, call));
        }
        return probes;
    }

    /** Expects what the workload says or, where it says nothing, what the reference gives, all but for roundings. */
    private static <K> SelfCheck.Probe probe(String component, Function<Kernels, K> operation, Call<K> call) {
        Workload<K> workload = call.workload;
        float[] reference = workload.run(operation.apply(Kernels.scalar())).clone();
        IntFunction<Sum> expected = workload.exact();
        double[] exact = new double[reference.length];
        double size = 0;
        for (int i = 0; i < exact.length; i++) {
            Sum sum = expected == null ? Sum.of(reference[i]) : expected.apply(i);
            exact[i] = sum.value();
            size = Math.max(size, sum.size());
        }
        return new SelfCheck.Probe(
                component + "." + call.method,
                call.name,
                kernels -> {
                    K implementation = operation.apply(kernels);
                    return () -> workload.run(implementation);
                },
                i -> exact[i],
                workload.maxUlps() * 0x1p-23 * size,
                call.minRatio);
    }
}
