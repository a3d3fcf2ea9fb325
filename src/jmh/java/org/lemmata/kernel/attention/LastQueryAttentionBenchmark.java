package org.lemmata.kernel.attention;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.index.RaggedOffsets;
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
 * Softmax attention of the last query of each sequence, forward and backward, SIMD beside scalar; and {@code whole},
 * the same gradients by attention of all queries, as training had them before.
 *
 * <pre>
 * mvn -P jmh verify -DskipTests -Djmh.include=LastQueryAttentionBenchmark
 * </pre>
 *
 * <p>A parameter is sequences x heads x length x width of a head. {@code gigaflops} are those of the last queries,
 * seven products of a number each, for {@code whole}, too: its rate is that of what is asked for.
 *
 * <p>What goes wrong otherwise: what {@link AttentionBenchmark} says of warm-up.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class LastQueryAttentionBenchmark {

    private static final long SEED = 20261122;

    /** Binary32 stays well below, a number of the wrong position does not. */
    private static final double MAX_ULPS = 64;

    private static final int PRODUCTS = 7;

    private static final float[] NONE = {};

    @Param({"1024x1x8x16", "64x4x256x32"})
    public String problem = "";

    private AttentionShape shape = AttentionShape.softmax(1, 1);
    private RaggedOffsets sequences = RaggedOffsets.ofLengths();
    private AttentionInputs all = AttentionInputs.of(NONE, NONE, NONE);
    private AttentionInputs last = all;
    private AttentionInputs dAll = all;
    private AttentionInputs dLast = all;
    private AttentionOutputs outputs = AttentionOutputs.of(NONE);
    private AttentionOutputs lastOutputs = outputs;
    private AttentionOutputs dOutputs = outputs;
    private AttentionOutputs dLastOutputs = outputs;
    private Attention attention = new ScalarAttention();
    private CachedAttention lastQueries = new ScalarCachedAttention();
    private double errorUlps;

    /** Draws the numbers, and runs what is about to be measured. */
    @Setup
    public void prepare(BenchmarkParams params) {
        String[] texts = problem.split("x", -1);
        if (texts.length != 4) {
            throw new IllegalArgumentException("problem: expected sequencesxheadsxlengthxwidth, got " + problem);
        }
        int[] sizes = IntStream.range(0, 4).map(i -> Integer.parseInt(texts[i])).toArray();
        int[] lengths = new int[sizes[0]];
        Arrays.fill(lengths, sizes[2]);
        sequences = RaggedOffsets.ofLengths(lengths);
        shape = AttentionShape.softmax(sizes[1], sizes[3]);
        var random = new Random(SEED);
        int size = sequences.total() * shape.width();
        all = AttentionInputs.of(random(random, size), random(random, size), random(random, size));
        last = AttentionInputs.of(lastRows(all.queries()), all.keys(), all.values());
        dAll = AttentionInputs.zeros(sequences, shape);
        dLast = AttentionInputs.zeros(sequences, shape);
        outputs = AttentionOutputs.zeros(sequences, shape);
        lastOutputs = AttentionOutputs.of(new float[sequences.count() * shape.width()]);
        dLastOutputs = AttentionOutputs.of(random(random, sequences.count() * shape.width()));
        dOutputs = AttentionOutputs.of(new float[size]);
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
            lastQueries = new VectorCachedAttention();
            AttentionProblem.settle(this::runLast);
        } else {
            attention = new VectorAttention();
            AttentionProblem.settle(this::runWhole);
        }
        boolean whole = method.equals("whole");
        errorUlps = checkedUlps(
                whole ? lastRows(outputs.outputs()) : lastOutputs.outputs(), (whole ? dAll : dLast).values());
    }

    private static float[] random(Random random, int count) {
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = (float) random.nextGaussian();
        }
        return numbers;
    }

    private float[] lastRows(float[] rows) {
        int width = shape.width();
        float[] result = new float[sequences.count() * width];
        for (int s = 0; s < sequences.count(); s++) {
            System.arraycopy(rows, (sequences.end(s) - 1) * width, result, s * width, width);
        }
        return result;
    }

    /**
     * The maximum distance of outputs and of gradients of values to float64, in units of 2^-23 of their absolute terms.
     */
    private double checkedUlps(float[] actual, float[] dValues) {
        int width = shape.width();
        double maximum = 0;
        for (int s = 0; s < sequences.count(); s++) {
            for (int column = 0; column < width; column += shape.headWidth()) {
                double[] weights = weights(s, column);
                for (int d = column; d < column + shape.headWidth(); d++) {
                    double sum = 0;
                    double magnitude = 0;
                    for (int j = 0; j < weights.length; j++) {
                        int at = (sequences.start(s) + j) * width + d;
                        double term = weights[j] * all.values()[at];
                        sum += term;
                        magnitude += Math.abs(term);
                        double gradient = weights[j] * dLastOutputs.outputs()[s * width + d];
                        maximum = Math.max(maximum, ulps(dValues[at] - gradient, Math.abs(gradient)));
                    }
                    maximum = Math.max(maximum, ulps(actual[s * width + d] - sum, magnitude));
                }
            }
        }
        return maximum;
    }

    private static double ulps(double error, double magnitude) {
        double ulps = Math.abs(error) / magnitude / Math.ulp(1f);
        if (!(ulps <= MAX_ULPS)) {
            throw new IllegalStateException(
                    "outputs and gradients, in ulps: expected within " + MAX_ULPS + " of float64, got " + ulps);
        }
        return ulps;
    }

    /** Normalized. */
    private double[] weights(int sequence, int column) {
        int width = shape.width();
        double[] weights = new double[sequences.length(sequence)];
        for (int j = 0; j < weights.length; j++) {
            double score = 0;
            for (int d = column; d < column + shape.headWidth(); d++) {
                score += (double) last.queries()[sequence * width + d]
                        * all.keys()[(sequences.start(sequence) + j) * width + d];
            }
            weights[j] = Math.exp(shape.scoreScale() * score);
        }
        double sum = Arrays.stream(weights).sum();
        return Arrays.stream(weights).map(weight -> weight / sum).toArray();
    }

    private float[] runLast() {
        lastQueries.forward(lastOutputs, last, sequences, shape);
        lastQueries.backward(dLast, dLastOutputs, lastOutputs, last, sequences, shape);
        return dLast.values();
    }

    private float[] runWhole() {
        attention.forward(outputs, all, sequences, shape);
        attention.backward(dAll, dOutputs, outputs, all, sequences, shape);
        return dAll.values();
    }

    private void report(Work work, MaxError error) {
        double numbers = (double) sequences.total() * shape.width();
        // Keys and values are read in both passes, and their gradients written.
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
