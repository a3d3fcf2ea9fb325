package org.lemmata.kernel.attention;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.lemmata.benchmark.KernelBenchmark;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.attention.cached.AttentionCache;
import org.lemmata.kernel.attention.cached.CachedAttention;
import org.lemmata.kernel.attention.cached.ScalarCachedAttention;
import org.lemmata.kernel.attention.cached.VectorCachedAttention;
import org.lemmata.kernel.problem.AttentionProblem;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Softmax attention of one query per sequence over cached keys and values. SIMD kernels are compared with scalar
 * kernels.
 *
 * <pre>
 * mvn -P jmh verify -Djmh.include=AttentionStepBenchmark
 * mvn -P jmh verify -Djmh.include=AttentionStepBenchmark.vector
 *     -Djmh.args="-p cache=1x2x32x64,1x2x256x64,1x2x1024x64,64x8x1024x64 -p threads=1,2"
 * </pre>
 *
 * <p>A parameter is sequences x heads x length x head width. Compare {@code gigabytes} with the triad of the machine,
 * or with the bandwidth of its caches if keys and values fit in them. A step reads each number once, for two
 * operations.
 *
 * <p>Pitfalls: a cache that grows during the measurement mixes lengths. With zero inputs, every exponential is 1.
 * {@link AttentionBenchmark} explains the warm-up.
 */
public class AttentionStepBenchmark extends KernelBenchmark {

    @Param({"1x2x1024x64", "16x8x256x64"})
    public String cache = "";

    private CachedAttention step = new ScalarCachedAttention();
    private AttentionProblem problem = new AttentionProblem(AttentionShape.softmax(1, 1), 1, 1);
    private AttentionCache cached = new AttentionCache(AttentionShape.softmax(1, 1), 1, 1);
    private AttentionOutputs outputs = AttentionOutputs.EMPTY;
    private int[] sequences = {};
    private int length;
    private double errorUlps;

    /** Fills the cache, and checks the kernel. The queries are the first rows of the queries of {@link #problem}. */
    @Setup
    public void prepare(BenchmarkParams params) {
        int[] sizes = sizes("cache", cache, "sequences x heads x length x width", "1x2x1024x64");
        sequences = IntStream.range(0, sizes[0]).toArray();
        length = sizes[2];
        AttentionShape shape = AttentionShape.softmax(sizes[1], sizes[3]);
        problem = new AttentionProblem(shape, sizes[0], length);
        cached = new AttentionCache(shape, sequences.length, length);
        for (int sequence : sequences) {
            cached.append(sequence, problem.inputs(), sequence * length, length);
        }
        outputs = AttentionOutputs.of(new float[sequences.length * shape.width()]);
        if (isOnLanes(params)) {
            step = new VectorCachedAttention(startWorkers());
            AttentionCheck.settle(this::run);
        } else {
            run();
        }
        for (int sequence : sequences) {
            int at = sequence * shape.width();
            double ulps =
                    AttentionCheck.outputUlps(problem, sequence, sequence * length, length, outputs.outputs(), at);
            errorUlps = Math.max(errorUlps, ulps);
        }
    }

    private float[] run() {
        step.forward(outputs, problem.inputs(), cached, sequences, sequences.length);
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
}
