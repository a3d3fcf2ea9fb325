package org.lemmata.kernel.matmul;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * C = A B, products a second; the secondary result {@code gigaflops} is the work, 2 m n k floating-point operations a
 * product, in GF/s, to be read against the machine's peak of fused multiply-adds; {@code maxErrorUnits} is the greatest
 * error found in {@code @Setup}, in units of 2^-24 |A| |B|.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=MatMulBenchmark}; other sizes and forms: add
 * {@code -Djmh.args="-p size=1024x1024x1024 -p form=NN,NT,TN"}. A size is m x n x k.
 *
 * <p>What goes wrong if it is written otherwise: with all sizes in one fork, the compiler sees branches of the earlier
 * size and compiles anew in the middle of the next; with a new C for each product, the garbage collector is measured. A
 * wrong kernel may well be a fast one: each is compared with a binary64 product before it gets a row.
 *
 * <p>{@code -Xbatch} makes calls wait for the compiler: on a busy machine, boxed vectors were measured for seconds
 * without it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 5, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class MatMulBenchmark {

    @Param({"64x64x64", "256x256x256", "11200x30x30"})
    public String size = "";

    @Param("NN")
    public MatMul.Form form = MatMul.Form.NN;

    private final MatMul scalar = new ScalarMatMul();
    private final MatMul vector = new VectorMatMul();
    private int m;
    private int n;
    private int k;
    private float[] a = {};
    private float[] b = {};
    private float[] c = {};
    private double scalarError;
    private double vectorError;

    /** The work done; JMH divides by the time. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Work {

        /** Billions of floating-point operations, multiplications and additions. */
        public double gigaflops;

        @Setup(Level.Iteration)
        public void clear() {
            gigaflops = 0;
        }
    }

    /** What {@code @Setup} found out. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Accuracy {

        /** The greatest |c - exact| / (u |A| |B|), u = 2^-24; at most about k. */
        public double maxErrorUnits;

        @Setup(Level.Iteration)
        public void clear() {
            maxErrorUnits = 0;
        }
    }

    @Setup
    public void prepare(BenchmarkParams params) {
        // JMH adds events up over threads, iterations and forks.
        double addends =
                (double) params.getThreads() * params.getMeasurement().getCount() * Math.max(1, params.getForks());
        String[] sizes = size.split("x", -1);
        if (sizes.length != 3) {
            throw new IllegalArgumentException("size: expected m x n x k as in 64x64x64, got '" + size + "'");
        }
        m = Integer.parseInt(sizes[0]);
        n = Integer.parseInt(sizes[1]);
        k = Integer.parseInt(sizes[2]);
        SplittableRandom random = new SplittableRandom(1);
        a = random(m * k, random);
        b = random(k * n, random);
        c = new float[m * n];
        scalarError = maxErrorUnits(scalar) / addends;
        vectorError = maxErrorUnits(vector) / addends;
    }

    private static float[] random(int length, SplittableRandom random) {
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextDouble(-1, 1);
        }
        return x;
    }

    private void multiply(MatMul matMul) {
        int aStride = form.columnsOfA(m, k);
        int bStride = form.columnsOfB(n, k);
        matMul.multiply(form, false, c, 0, n, a, 0, aStride, b, 0, bStride, m, n, k);
    }

    /** Compares about a thousand elements with binary64; none may differ by more than (k + 1) u |A| |B|. */
    private double maxErrorUnits(MatMul matMul) {
        multiply(matMul);
        double maxUnits = 0;
        int step = Math.max(1, m * n / 1000) | 1;
        for (int at = 0; at < m * n; at += step) {
            int i = at / n;
            int j = at % n;
            double exact = 0;
            double absolute = 0;
            for (int l = 0; l < k; l++) {
                double left = a[form == MatMul.Form.TN ? l * m + i : i * k + l];
                double product = left * b[form == MatMul.Form.NT ? j * k + l : l * n + j];
                exact += product;
                absolute += Math.abs(product);
            }
            double units = Math.abs(c[at] - exact) / (absolute * 0x1p-24);
            if (!(units <= k + 1)) {
                throw new IllegalStateException(matMul.getClass().getSimpleName() + " " + form + " " + size + ": c[" + i
                        + "][" + j + "] is " + c[at] + ", expected " + exact);
            }
            maxUnits = Math.max(maxUnits, units);
        }
        return maxUnits;
    }

    @Benchmark
    public float[] scalar(Work work, Accuracy accuracy) {
        multiply(scalar);
        work.gigaflops += 2e-9 * m * n * k;
        accuracy.maxErrorUnits = scalarError;
        return c;
    }

    @Benchmark
    public float[] vector(Work work, Accuracy accuracy) {
        multiply(vector);
        work.gigaflops += 2e-9 * m * n * k;
        accuracy.maxErrorUnits = vectorError;
        return c;
    }
}
