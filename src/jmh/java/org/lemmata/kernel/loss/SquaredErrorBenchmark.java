package org.lemmata.kernel.loss;

import org.lemmata.benchmark.Checked;
import org.lemmata.benchmark.KernelBenchmark;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.problem.SquaredErrorProblem;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Squared error with its gradient, in calls per second.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=SquaredErrorBenchmark}; to exceed the cache: add {@code -Djmh.args="-p
 * count=16777216 -p threads=1,2"}, and compare {@code gigabytes} with the triad.
 *
 * <p>Pitfalls: if the gradient y - target overwrote y, y would grow with each call.
 */
public class SquaredErrorBenchmark extends KernelBenchmark {

    @Param("336000")
    public int count;

    private final Checked<SquaredError> backward = new Checked<>();

    @Setup
    public void prepare() {
        var problem = new SquaredErrorProblem(count);
        SquaredError scalar = new ScalarSquaredError();
        SquaredError vector = new VectorSquaredError(startWorkers());
        backward.prepare(problem.lossOfBackward(), scalar, vector, 1);
        backward.prepare(problem.backward(), scalar, vector, 1);
    }

    @Benchmark
    public float[] scalar(Work work, MaxError error) {
        return backward.scalar(work, error);
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        return backward.vector(work, error);
    }
}
