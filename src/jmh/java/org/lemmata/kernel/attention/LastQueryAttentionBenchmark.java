package org.lemmata.kernel.attention;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.cached.CachedAttention;
import org.lemmata.kernel.attention.cached.ScalarCachedAttention;
import org.lemmata.kernel.attention.cached.VectorCachedAttention;
import org.lemmata.kernel.problem.AttentionProblem;
import org.lemmata.kernel.problem.Expected;
import org.lemmata.kernel.thread.Workers;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Softmax attention of the last query of each sequence, forward and backward. SIMD kernels are compared with scalar
 * kernels. {@code whole} computes the same gradients by attention of all queries.
 *
 * <pre>
 * mvn -P jmh verify -DskipTests -Djmh.include=LastQueryAttentionBenchmark
 * </pre>
 *
 * <p>A parameter is sequences x heads x length x head width. {@code gigaflops} counts only the last queries: seven
 * multiply-adds for each element of the keys. The additional work of {@code whole} is not counted.
 *
 * <p>{@link AttentionBenchmark} explains the warm-up.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64"})
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class LastQueryAttentionBenchmark {

    private static final int PRODUCTS = 7;

    @Param({"1024x1x8x16", "64x4x256x32"})
    public String problem = "";

    private AttentionProblem all = new AttentionProblem(AttentionShape.softmax(1, 1), 1, 1);
    private AttentionShape shape = all.shape();
    private RaggedOffsets sequences = all.sequences();
    private AttentionInputs last = all.inputs();
    private AttentionInputs dAll = last;
    private AttentionInputs dLast = last;
    private AttentionOutputs outputs = AttentionOutputs.EMPTY;
    private AttentionOutputs lastOutputs = outputs;
    private AttentionOutputs dOutputs = outputs;
    private AttentionOutputs dLastOutputs = outputs;
    private Attention attention = new ScalarAttention();
    private CachedAttention lastQueries = new ScalarCachedAttention();
    private double errorUlps;

    /** Draws the numbers, and checks the kernel. */
    @Setup
    public void prepare(BenchmarkParams params) {
        String[] texts = problem.split("x", -1);
        if (texts.length != 4) {
            throw new IllegalArgumentException("problem: expected sequencesxheadsxlengthxwidth, got " + problem);
        }
        int[] sizes = IntStream.range(0, 4).map(i -> Integer.parseInt(texts[i])).toArray();
        shape = AttentionShape.softmax(sizes[1], sizes[3]);
        all = new AttentionProblem(shape, sizes[0], sizes[2]);
        sequences = all.sequences();
        AttentionInputs inputs = all.inputs();
        last = AttentionInputs.of(lastRows(inputs.queries()), inputs.keys(), inputs.values());
        dAll = AttentionInputs.zeros(sequences, shape);
        dLast = AttentionInputs.zeros(sequences, shape);
        outputs = AttentionOutputs.zeros(sequences, shape);
        lastOutputs = AttentionOutputs.of(new float[sequences.count() * shape.width()]);
        dLastOutputs = AttentionOutputs.of(lastRows(all.dOutputs().outputs()));
        dOutputs = AttentionOutputs.of(new float[inputs.values().length]);
        for (int s = 0; s < sequences.count(); s++) {
            System.arraycopy(
                    dLastOutputs.outputs(),
                    s * shape.width(),
                    dOutputs.outputs(),
                    (sequences.end(s) - 1) * shape.width(),
                    shape.width());
        }
        String benchmark = params.getBenchmark();
        String method = benchmark.substring(benchmark.lastIndexOf('.') + 1);
        if (method.equals("scalar")) {
            runLast();
        } else if (method.equals("vector")) {
            lastQueries = new VectorCachedAttention(Workers.caller());
            AttentionCheck.settle(this::runLast);
        } else {
            attention = new VectorAttention(Workers.caller());
            AttentionCheck.settle(this::runWhole);
        }
        boolean whole = method.equals("whole");
        errorUlps = checkedUlps(
                whole ? lastRows(outputs.outputs()) : lastOutputs.outputs(), (whole ? dAll : dLast).values());
    }

    private float[] lastRows(float[] rows) {
        int width = shape.width();
        float[] result = new float[sequences.count() * width];
        for (int s = 0; s < sequences.count(); s++) {
            System.arraycopy(rows, (sequences.end(s) - 1) * width, result, s * width, width);
        }
        return result;
    }

    /** The maximum error of outputs and of gradients of values. */
    private double checkedUlps(float[] actual, float[] dValues) {
        int width = shape.width();
        double limit = all.forward().maxUlps();
        double maximum = 0;
        for (int s = 0; s < sequences.count(); s++) {
            int first = sequences.start(s);
            int query = sequences.end(s) - 1;
            int count = sequences.length(s);
            maximum = Math.max(maximum, AttentionCheck.outputUlps(all, query, first, count, actual, s * width));
            for (int column = 0; column < width; column++) {
                double[] weights = all.weights(query, first, count, column - column % shape.headWidth());
                for (int j = 0; j < count; j++) {
                    Expected gradient = Expected.of(weights[j] * dLastOutputs.outputs()[s * width + column]);
                    double ulps = gradient.ulps(dValues[(first + j) * width + column]);
                    maximum = Math.max(maximum, AttentionCheck.checked(ulps, limit));
                }
            }
        }
        return maximum;
    }

    private float[] runLast() {
        lastQueries.forward(lastOutputs, last, sequences, shape);
        lastQueries.backward(dLast, dLastOutputs, lastOutputs, last, sequences, shape);
        return dLast.values();
    }

    private float[] runWhole() {
        attention.forward(outputs, all.inputs(), sequences, shape);
        attention.backward(dAll, dOutputs, outputs, all.inputs(), sequences, shape);
        return dAll.values();
    }

    private void report(Work work, MaxError error) {
        double numbers = (double) sequences.total() * shape.width();
        // Both passes read keys and values. The backward pass also writes their gradients.
        work.add(2 * PRODUCTS * numbers, 6 * Float.BYTES * numbers);
        error.report(errorUlps);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        report(work, error);
        return runLast();
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        report(work, error);
        return runLast();
    }

    @Benchmark
    public float[] whole(Work work, MaxError error) {
        report(work, error);
        return runWhole();
    }
}
