package org.lemmata.kernel.arithmetic;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
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

/**
 * The gradient of a bias, sums of rows a second, and sums of arrays; {@code gigabytes} is to be read against the
 * machine's triad. {@code maxErrorUlps} is in units of 2^-23 of the sum of the absolute terms.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=ArithmeticBenchmark}; other sizes: add {@code -Djmh.args="-p
 * size=65536x16,11200x30,8192x1024 -p threads=1,2"}. A size is rows x columns.
 *
 * <p>What goes wrong if it is written otherwise: sums that are not set back grow with the calls; that costs nothing
 * here, since they stay far from overflow.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class ArithmeticBenchmark {

    @Param("8192x1024")
    public String size = "";

    @Param("1")
    public int threads;

    private final Arithmetic scalar = new ScalarArithmetic();
    private Workers workers = Workers.caller();
    private Arithmetic vector = scalar;
    private int rows;
    private int columns;
    private float[] x = {};
    private float[] y = {};
    private float[] sums = {};
    private double scalarError;
    private double vectorError;
    private double scalarSumError;
    private double vectorSumError;

    @Setup
    public void prepare() {
        workers = Workers.of(threads);
        vector = new VectorArithmetic(workers);
        String[] sizes = size.split("x", -1);
        if (sizes.length != 2) {
            throw new IllegalArgumentException("size: expected rows x columns as in 8192x1024, got '" + size + "'");
        }
        rows = Integer.parseInt(sizes[0]);
        columns = Integer.parseInt(sizes[1]);
        SplittableRandom random = new SplittableRandom(1);
        x = new float[rows * columns];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) random.nextDouble(-1, 1);
        }
        y = new float[x.length];
        scalarError = maxErrorUlps(scalar);
        vectorError = maxErrorUlps(vector);
        scalarSumError = sumErrorUlps(scalar);
        vectorSumError = sumErrorUlps(vector);
        sums = new float[columns];
    }

    @TearDown
    public void stop() {
        workers.close();
    }

    private double maxErrorUlps(Arithmetic arithmetic) {
        sums = new float[columns];
        addRows(arithmetic);
        double maxUlps = 0;
        for (int j = 0; j < columns; j++) {
            double exact = 0;
            double absolute = 0;
            for (int i = 0; i < rows; i++) {
                exact += x[i * columns + j];
                absolute += Math.abs(x[i * columns + j]);
            }
            double ulps = Math.abs(sums[j] - exact) / absolute * 0x1p23;
            if (!(ulps <= rows)) {
                throw new IllegalStateException(arithmetic.getClass().getSimpleName() + ": sum " + j + " is " + sums[j]
                        + ", expected " + exact);
            }
            maxUlps = Math.max(maxUlps, ulps);
        }
        return maxUlps;
    }

    /** Each sum of two is rounded once. */
    private double sumErrorUlps(Arithmetic arithmetic) {
        for (int i = 0; i < y.length; i++) {
            y[i] = x[x.length - 1 - i];
        }
        add(arithmetic);
        double maxUlps = 0;
        for (int i = 0; i < y.length; i++) {
            double first = x[x.length - 1 - i];
            double absolute = Math.abs(first) + Math.abs(x[i]);
            double ulps = absolute == 0 ? Math.abs(y[i]) : Math.abs(y[i] - (first + x[i])) / absolute * 0x1p23;
            if (!(ulps <= 0.5)) {
                throw new IllegalStateException(
                        arithmetic.getClass().getSimpleName() + ": " + first + " + " + x[i] + " is " + y[i]);
            }
            maxUlps = Math.max(maxUlps, ulps);
        }
        return maxUlps;
    }

    private float[] addRows(Arithmetic arithmetic) {
        arithmetic.addRowsInto(sums, 0, x, 0, columns, rows, columns);
        return sums;
    }

    private float[] add(Arithmetic arithmetic) {
        arithmetic.addInto(y, 0, x, 0, x.length);
        return y;
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError maxError) {
        work.add(x.length, 4.0 * x.length);
        maxError.report(scalarError);
        return addRows(scalar);
    }

    @Benchmark
    public float[] vector(Work work, MaxError maxError) {
        work.add(x.length, 4.0 * x.length);
        maxError.report(vectorError);
        return addRows(vector);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalarSum(Work work, MaxError maxError) {
        work.add(x.length, 12.0 * x.length);
        maxError.report(scalarSumError);
        return add(scalar);
    }

    @Benchmark
    public float[] vectorSum(Work work, MaxError maxError) {
        work.add(x.length, 12.0 * x.length);
        maxError.report(vectorSumError);
        return add(vector);
    }
}
