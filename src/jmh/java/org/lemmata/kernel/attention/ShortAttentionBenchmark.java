package org.lemmata.kernel.attention;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.KernelBenchmark;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.problem.Numbers;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Attention without a mask over many short sequences, with identity terms in each head, forward only and forward with
 * backward. SIMD kernels are compared with scalar kernels.
 *
 * <pre>
 * mvn -P jmh verify -Djmh.include=ShortAttentionBenchmark
 * mvn -P jmh verify -Djmh.include=ShortAttentionBenchmark.vector
 *     -Djmh.args="-p attention=16x16x3x64x128,512x16x2x64x128,512x16x3x64x0 -p threads=1,2"
 * </pre>
 *
 * <p>A parameter is sequences x heads x length x head width x token width (0 without identity terms). Compare
 * {@code gigaflops} with the peak of the machine. The forward pass counts 4 n^2 operations per column of each head,
 * token columns included; the backward pass has 2.5 times as many. {@code maxErrorUlps} is the difference from the
 * scalar kernel, in units of 2^-23 of the largest number of an array.
 *
 * <p>Pitfalls: few sequences stay in the second-level cache and many do not, so measure both.
 * {@link AttentionBenchmark} explains the warm-up.
 */
public class ShortAttentionBenchmark extends KernelBenchmark {

    private static final double MAX_ULPS = 256;

    @Param({"16x16x3x64x128", "512x16x3x64x128"})
    public String attention = "";

    private AttentionShape shape = AttentionShape.PLAIN;
    private RaggedOffsets sequences = RaggedOffsets.ofLengths();
    private AttentionInputs inputs = AttentionInputs.EMPTY;
    private AttentionOutputs outputs = AttentionOutputs.EMPTY;
    private AttentionOutputs dOutputs = AttentionOutputs.EMPTY;
    private AttentionInputs gradients = AttentionInputs.EMPTY;
    private Attention kernel = new ScalarAttention();
    private double forwardFlops;
    private double errorUlps;

    /** Prepares the kernel, and compares it with the scalar kernel. */
    @Setup
    public void prepare(BenchmarkParams params) {
        int[] sizes = sizes("attention", attention, "sequences x heads x length x width x token", "512x16x3x64x128");
        int heads = sizes[1];
        int tokenWidth = sizes[4];
        shape = AttentionShape.softmax(heads, sizes[3])
                .withIdentities(tokenWidth)
                .withoutMask();
        int[] lengths = new int[sizes[0]];
        Arrays.fill(lengths, sizes[2]);
        sequences = RaggedOffsets.ofLengths(lengths);
        Random random = new Random(20251124);
        int size = sequences.total() * shape.width();
        int tokens = sequences.total() * tokenWidth;
        inputs = AttentionInputs.of(
                Numbers.gaussian(size, random), Numbers.gaussian(size, random), Numbers.gaussian(size, random));
        if (tokenWidth > 0) {
            float[] a = Numbers.uniform(heads, -0.5, 0.5, random);
            float[] b = Numbers.uniform(heads, -0.5, 0.5, random);
            inputs = inputs.withIdentities(Numbers.gaussian(tokens, random), a, b);
        }
        outputs = AttentionOutputs.zeros(sequences, shape);
        dOutputs = new AttentionOutputs(
                Numbers.gaussian(size, random), Numbers.gaussian(tokens, random), new float[0], new float[0]);
        gradients = AttentionInputs.zeros(sequences, shape);
        double pairs = (double) sizes[0] * sizes[2] * sizes[2];
        forwardFlops = 4 * pairs * (shape.width() + (double) heads * tokenWidth);
        if (isOnLanes(params)) {
            kernel = new VectorAttention(startWorkers());
            AttentionCheck.settle(this::runBoth);
        }
        check();
    }

    private void check() {
        // The arrays are new, because the backward pass adds to the gradients of tokens, a and b.
        gradients = AttentionInputs.zeros(sequences, shape);
        runBoth();
        AttentionOutputs expected = AttentionOutputs.zeros(sequences, shape);
        AttentionInputs expectedGradients = AttentionInputs.zeros(sequences, shape);
        Attention scalar = new ScalarAttention();
        scalar.forward(expected, inputs, sequences, shape);
        scalar.backward(expectedGradients, dOutputs, expected, inputs, sequences, shape);
        compare(outputs.outputs(), expected.outputs());
        compare(outputs.identityOutputs(), expected.identityOutputs());
        compare(gradients.queries(), expectedGradients.queries());
        compare(gradients.keys(), expectedGradients.keys());
        compare(gradients.values(), expectedGradients.values());
        compare(gradients.tokens(), expectedGradients.tokens());
    }

    private void compare(float[] actual, float[] expected) {
        double maxError = 0;
        double max = 0;
        for (int at = 0; at < expected.length; at++) {
            maxError = Math.max(maxError, Math.abs((double) actual[at] - expected[at]));
            max = Math.max(max, Math.abs(expected[at]));
        }
        double ulps = maxError == 0 ? 0 : maxError / (max * Math.ulp(1f));
        errorUlps = Math.max(errorUlps, AttentionCheck.checked(ulps, MAX_ULPS));
    }

    private float[] runForward() {
        kernel.forward(outputs, inputs, sequences, shape);
        return outputs.outputs();
    }

    private float[] runBoth() {
        kernel.forward(outputs, inputs, sequences, shape);
        kernel.backward(gradients, dOutputs, outputs, inputs, sequences, shape);
        return gradients.values();
    }

    private void report(Work work, MaxError error, int matrices, double flops) {
        work.add(flops, (double) Float.BYTES * matrices * sequences.total() * shape.width());
        error.report(errorUlps);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        report(work, error, 4, forwardFlops);
        return runForward();
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        report(work, error, 4, forwardFlops);
        return runForward();
    }

    @Benchmark
    public float[] vectorForwardBackward(Work work, MaxError error) {
        report(work, error, 11, 3.5 * forwardFlops);
        return runBoth();
    }
}
