package org.lemmata.kernel.normalization;

import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.Checked;
import org.lemmata.benchmark.KernelBenchmark;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.problem.NormalizationProblem;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Normalization of rows with gain and shift, in calls per second: forward, and backward with all gradients.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=NormalizationBenchmark}; other sizes, rows x columns: add
 * {@code -Djmh.args="-p size=16384x1024 -p kind=LAYER,ROOT_MEAN_SQUARE -p threads=1,2"}. 65536x16 and 16384x64 are
 * sizes of queries and keys of heads. 16384x1024 exceeds the cache, so compare its {@code gigabytes} with the triad.
 *
 * <p>Pitfalls: with several sizes in one fork, the compiler sees branches of earlier sizes.
 */
public class NormalizationBenchmark extends KernelBenchmark {

    @Param("4096x64")
    public String size = "";

    @Param("LAYER")
    public Normalization.Kind kind = Normalization.Kind.LAYER;

    private final Checked<Normalization> forward = new Checked<>();
    private final Checked<Normalization> backward = new Checked<>();

    @Setup
    public void prepare() {
        int[] sizes = sizes("size", size, "rows x columns", "4096x64");
        var problem = new NormalizationProblem(sizes[0], sizes[1], kind);
        Normalization scalar = new ScalarNormalization();
        Normalization vector = new VectorNormalization(startWorkers());
        forward.prepare(problem.forward(), scalar, vector, 1);
        backward.prepare(problem.backward(), scalar, vector, 1);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        return forward.scalar(work, error);
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        return forward.vector(work, error);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalarBackward(Work work, MaxError error) {
        return backward.scalar(work, error);
    }

    @Benchmark
    public float[] vectorBackward(Work work, MaxError error) {
        return backward.vector(work, error);
    }
}
