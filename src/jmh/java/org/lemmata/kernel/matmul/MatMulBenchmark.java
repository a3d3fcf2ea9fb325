package org.lemmata.kernel.matmul;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.matrix.Matrix;
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
 * C = A B, products a second, beside the {@link Work}, to be read against the machine's peak of fused multiply-adds,
 * and the {@link MaxError} found in {@code @Setup}, in units of 2^-23 |A| |B|.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=MatMulBenchmark}; other sizes, forms and threads: add
 * {@code -Djmh.args="-p size=2048x2048x2048 -p form=NN,NT,TN -p threads=1,2"}. A size is m x n x k.
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

    @Param({"64x64x64", "256x256x256", "11200x30x30", "1024x1024x1024"})
    public String size = "";

    @Param("NN")
    public MatMul.Form form = MatMul.Form.NN;

    /** Of {@code vector} alone. */
    @Param("1")
    public int threads = 1;

    private final MatMul scalar = new ScalarMatMul();
    private Workers workers = Workers.caller();
    private MatMul vector = new VectorMatMul();
    private int m;
    private int n;
    private int k;
    private float[] a = {};
    private float[] b = {};
    private float[] c = {};
    private Matrix ofA = Matrix.empty();
    private Matrix ofB = Matrix.empty();
    private Matrix ofC = Matrix.empty();
    private double scalarUlps;
    private double vectorUlps;

    @Setup
    public void prepare() {
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
        ofA = Matrix.of(a, form.rowsOfA(m, k), form.columnsOfA(m, k));
        ofB = Matrix.of(b, form.rowsOfB(n, k), form.columnsOfB(n, k));
        ofC = Matrix.of(c, m, n);
        scalarUlps = maxErrorUlps(scalar);
        workers = Workers.of(threads);
        vector = new VectorMatMul(workers);
        vectorUlps = maxErrorUlps(vector);
    }

    @TearDown
    public void stop() {
        workers.close();
    }

    private static float[] random(int length, SplittableRandom random) {
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextDouble(-1, 1);
        }
        return x;
    }

    private void multiply(MatMul matMul) {
        matMul.multiply(form, false, ofC, ofA, ofB);
    }

    /** Compares about a thousand elements with binary64; none may differ by more than (k + 1) 2^-24 |A| |B|. */
    private double maxErrorUlps(MatMul matMul) {
        multiply(matMul);
        double maxUlps = 0;
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
            double ulps = Math.abs(c[at] - exact) / (absolute * 0x1p-23);
            if (!(ulps <= 0.5 * (k + 1))) {
                throw new IllegalStateException(matMul.getClass().getSimpleName() + " " + form + " " + size + ": c[" + i
                        + "][" + j + "] is " + c[at] + ", expected " + exact);
            }
            maxUlps = Math.max(maxUlps, ulps);
        }
        return maxUlps;
    }

    /** Fewer iterations: a large product takes this one more than a second. */
    @Benchmark
    @Warmup(iterations = 2, time = 400, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        multiply(scalar);
        report(work, error, scalarUlps);
        return c;
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        multiply(vector);
        report(work, error, vectorUlps);
        return c;
    }

    private void report(Work work, MaxError error, double ulps) {
        work.add(2.0 * m * n * k, 4.0 * ((double) m * k + (double) k * n + (double) m * n));
        error.report(ulps);
    }
}
