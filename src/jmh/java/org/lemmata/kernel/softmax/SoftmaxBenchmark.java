package org.lemmata.kernel.softmax;

import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.Checked;
import org.lemmata.benchmark.KernelBenchmark;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.problem.SoftmaxProblem;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Softmax of rows, forward and backward, in calls per second. The secondary result {@code gigaflops} counts 5
 * operations per element forward, where an exponential counts as one, and 4 backward. {@code maxErrorUlps} is the
 * maximum error found in {@code @Setup}, forward in ulps of the result, and backward in units of 2^-23 of the sum of
 * the absolute terms.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=SoftmaxBenchmark}; other sizes: add {@code -Djmh.args="-p
 * columns=30,700 -p rows=4096 -p threads=1,2"}.
 *
 * <p>Pitfalls: in place, repeated softmax becomes nearly uniform, so only the first call would have the intended
 * inputs.
 */
@Warmup(iterations = 5, time = 400, timeUnit = TimeUnit.MILLISECONDS)
public class SoftmaxBenchmark extends KernelBenchmark {

    @Param("1024")
    public int columns;

    @Param("4")
    public int rows;

    private final Checked<Softmax> forward = new Checked<>();
    private final Checked<Softmax> backward = new Checked<>();

    @Setup
    public void prepare() {
        var problem = new SoftmaxProblem(rows, columns);
        Softmax scalar = new ScalarSoftmax();
        Softmax vector = new VectorSoftmax(startWorkers());
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
