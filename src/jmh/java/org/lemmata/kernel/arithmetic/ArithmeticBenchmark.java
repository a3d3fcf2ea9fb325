package org.lemmata.kernel.arithmetic;

import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.Checked;
import org.lemmata.benchmark.KernelBenchmark;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.problem.ArithmeticProblem;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The sum of the rows of a matrix, which is the gradient of a bias, and the sum of two arrays, in calls per second.
 * Compare {@code gigabytes} with the triad of the machine. {@code maxErrorUlps} is in units of 2^-23 of the sum of the
 * absolute terms.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=ArithmeticBenchmark}; other sizes: add {@code -Djmh.args="-p
 * size=65536x16,11200x30,8192x1024 -p threads=1,2"}. A size is rows x columns.
 *
 * <p>Pitfalls: sums that are not reset grow with each call. This is harmless here, because they stay far from overflow.
 */
public class ArithmeticBenchmark extends KernelBenchmark {

    @Param("8192x1024")
    public String size = "";

    private final Checked<Arithmetic> rows = new Checked<>();
    private final Checked<Arithmetic> sums = new Checked<>();

    @Setup
    public void prepare() {
        int[] sizes = sizes("size", size, "rows x columns", "8192x1024");
        var problem = new ArithmeticProblem(sizes[0], sizes[1]);
        Arithmetic scalar = new ScalarArithmetic();
        Arithmetic vector = new VectorArithmetic(startWorkers());
        rows.prepare(problem.addRows(), scalar, vector, 1);
        sums.prepare(problem.add(), scalar, vector, 1);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        return rows.scalar(work, error);
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        return rows.vector(work, error);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalarSum(Work work, MaxError error) {
        return sums.scalar(work, error);
    }

    @Benchmark
    public float[] vectorSum(Work work, MaxError error) {
        return sums.vector(work, error);
    }
}
