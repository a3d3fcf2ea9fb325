package org.lemmata.kernel.attention;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Softmax attention of one query a sequence over cached keys and values, SIMD beside scalar.
 *
 * <pre>
 * mvn -P jmh verify -Djmh.include=AttentionStepBenchmark
 * mvn -P jmh verify -Djmh.include=AttentionStepBenchmark.vector
 *     -Djmh.args="-p cache=1x2x32x64,1x2x256x64,1x2x1024x64,64x8x1024x64 -p threads=1,2"
 * </pre>
 *
 * <p>A parameter is sequences x heads x length x width of a head. Read {@code gigabytes} against the triad of the
 * machine, or its caches where keys and values fit them: a step reads each of them once, for two operations a number.
 *
 * <p>What goes wrong otherwise: a cache that grows while it is measured mixes lengths; inputs of zeros make every
 * exponential 1; and what {@link AttentionBenchmark} says of warm-up.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class AttentionStepBenchmark {

    private static final long SEED = 20251121;

    /** Binary32 stays well below, a number of the wrong position does not. */
    private static final double MAX_ULPS = 64;

    private static final float[] NONE = {};

    @Param({"1x2x1024x64", "16x8x256x64"})
    public String cache = "";

    @Param("1")
    public int threads;

    private CachedAttention step = new ScalarCachedAttention();
    private AttentionCache cached = new AttentionCache(AttentionShape.softmax(1, 1), 1, 1);
    private AttentionInputs rows = AttentionInputs.of(NONE, NONE, NONE);
    private AttentionOutputs outputs = AttentionOutputs.of(NONE);
    private int[] sequences = {};
    private int length;
    private double errorUlps;
    private Workers workers = Workers.caller();

    /** Fills the cache, and runs what is about to be measured. */
    @Setup
    public void prepare(BenchmarkParams params) {
        String[] texts = cache.split("x", -1);
        if (texts.length != 4) {
            throw new IllegalArgumentException("cache: expected sequencesxheadsxlengthxwidth, got " + cache);
        }
        int[] sizes = IntStream.range(0, 4).map(i -> Integer.parseInt(texts[i])).toArray();
        sequences = IntStream.range(0, sizes[0]).toArray();
        length = sizes[2];
        AttentionShape shape = AttentionShape.softmax(sizes[1], sizes[3]);
        workers = Workers.of(threads);
        cached = new AttentionCache(shape, sequences.length, length);
        Random random = new Random(SEED);
        int total = sequences.length * length;
        rows = AttentionInputs.of(
                random(random, total * shape.width()),
                random(random, total * shape.width()),
                random(random, total * shape.width()));
        for (int sequence : sequences) {
            cached.append(sequence, rows, sequence * length, length);
        }
        outputs = AttentionOutputs.of(new float[sequences.length * shape.width()]);
        String benchmark = params.getBenchmark();
        if (benchmark.substring(benchmark.lastIndexOf('.') + 1).startsWith("vector")) {
            step = new VectorCachedAttention(workers);
            AttentionProblem.settle(this::run);
        } else {
            run();
        }
        errorUlps = checkedUlps();
    }

    private static float[] random(Random random, int count) {
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = (float) random.nextGaussian();
        }
        return numbers;
    }

    /** The maximum distance to float64, in units of 2^-23 of the sum of absolute terms. */
    private double checkedUlps() {
        AttentionShape shape = cached.shape();
        int width = shape.width();
        double maximum = 0;
        for (int sequence : sequences) {
            for (int column = 0; column < width; column += shape.headWidth()) {
                double[] weights = weights(sequence, column);
                for (int d = column; d < column + shape.headWidth(); d++) {
                    double sum = 0;
                    double magnitude = 0;
                    for (int j = 0; j < length; j++) {
                        double term = weights[j] * rows.values()[(sequence * length + j) * width + d];
                        sum += term;
                        magnitude += Math.abs(term);
                    }
                    double ulps = Math.abs(outputs.outputs()[sequence * width + d] - sum) / magnitude / Math.ulp(1f);
                    if (!(ulps <= MAX_ULPS)) {
                        throw new IllegalStateException(
                                "outputs, in ulps: expected within " + MAX_ULPS + " of float64, got " + ulps);
                    }
                    maximum = Math.max(maximum, ulps);
                }
            }
        }
        return maximum;
    }

    /** Normalized. The queries are the first rows of all. */
    private double[] weights(int sequence, int column) {
        AttentionShape shape = cached.shape();
        int width = shape.width();
        double[] weights = new double[length];
        double sum = 0;
        for (int j = 0; j < length; j++) {
            double score = 0;
            for (int d = column; d < column + shape.headWidth(); d++) {
                score += (double) rows.queries()[sequence * width + d]
                        * rows.keys()[(sequence * length + j) * width + d];
            }
            weights[j] = Math.exp(shape.scoreScale() * score);
            sum += weights[j];
        }
        for (int j = 0; j < length; j++) {
            weights[j] /= sum;
        }
        return weights;
    }

    private float[] run() {
        step.forward(outputs, rows, cached, sequences, sequences.length);
        return outputs.outputs();
    }

    private float[] run(Work work, MaxError error) {
        double numbers = 2.0 * sequences.length * length * cached.shape().width();
        work.add(2 * numbers, Float.BYTES * numbers);
        error.report(errorUlps);
        return run();
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        return run(work, error);
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        return run(work, error);
    }

    @TearDown
    public void close() {
        workers.close();
    }
}
