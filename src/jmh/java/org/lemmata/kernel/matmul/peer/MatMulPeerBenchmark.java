package org.lemmata.kernel.matmul.peer;

import java.util.List;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.benchmark.peer.Contender;
import org.lemmata.benchmark.peer.LemmataContender;
import org.lemmata.benchmark.peer.PeerBenchmark;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matmul.VectorMatMul;
import org.lemmata.kernel.matrix.Matrix;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * C = A B compared with OpenBLAS and MKL, in products per second. Read {@code gigaflops}, which counts 2 m n k
 * operations per product.
 *
 * <p>Run: {@code mvn -P jmh,peers verify -Djmh.include=MatMulPeer}; other sizes, m x n x k: add {@code -Djmh.args="-p
 * size=64x64x64,8192x512x128"}.
 *
 * <p>Pitfalls: with OpenBLAS and MKL in one JVM, the same library would run twice, because both export
 * {@code cblas_sgemm}. Passing arrays of the heap would add a copy to the time of the other library. OpenBLAS may not
 * detect the processor; the row with a forced AVX-512 core shows the effect. {@code @Setup} prints the core whose code
 * runs, and fails if it is not the forced core.
 */
public class MatMulPeerBenchmark extends PeerBenchmark {

    @Param({"lemmata", "openblas", "openblas-avx512", "mkl"})
    public String library = "";

    @Param({"256x256x256", "1024x1024x1024", "11200x30x30"})
    public String size = "";

    private int m;
    private int n;
    private int k;
    private float[] a = {};
    private float[] b = {};

    @Setup
    public void prepare() {
        int[] sizes = sizes("size", size, 3);
        m = sizes[0];
        n = sizes[1];
        k = sizes[2];
        a = random(1, m * k, 1);
        b = random(2, k * n, 1);
        start(contender(), results -> checkedErrorUlps(results.getFirst()));
    }

    private Contender contender() {
        return switch (library) {
            case "lemmata" -> lemmata();
            case "openblas" -> BlasProduct.openBlas(false, threads, a, b, m, n, k);
            case "openblas-avx512" -> BlasProduct.openBlas(true, threads, a, b, m, n, k);
            case "mkl" -> BlasProduct.mkl(threads, a, b, m, n, k);
            default -> throw unknownLibrary(library, "lemmata, openblas, openblas-avx512 or mkl");
        };
    }

    private Contender lemmata() {
        float[] c = new float[m * n];
        return LemmataContender.contender(
                threads,
                workers -> {
                    MatMul matMul = new VectorMatMul(workers);
                    Matrix ofC = Matrix.of(c, m, n);
                    Matrix ofA = Matrix.of(a, m, k);
                    Matrix ofB = Matrix.of(b, k, n);
                    return () -> matMul.multiply(MatMul.Form.NN, false, ofC, ofA, ofB);
                },
                List.of(c));
    }

    /** Compares about a thousand elements with binary64. No element may differ by more than (k + 1) 2^-24 |A| |B|. */
    private double checkedErrorUlps(float[] c) {
        double maxUlps = 0;
        int step = Math.max(1, m * n / 1000) | 1;
        for (int at = 0; at < m * n; at += step) {
            int i = at / n;
            int j = at % n;
            double exact = 0;
            double absolute = 0;
            for (int l = 0; l < k; l++) {
                double term = (double) a[i * k + l] * b[l * n + j];
                exact += term;
                absolute += Math.abs(term);
            }
            double ulps = Math.abs(c[at] - exact) / (absolute * 0x1p-23);
            if (!(ulps <= (k + 1) / 2.0)) {
                throw new IllegalStateException(
                        library + " " + size + ": c[" + i + "][" + j + "] is " + c[at] + ", expected " + exact);
            }
            maxUlps = Math.max(maxUlps, ulps);
        }
        return maxUlps;
    }

    @Benchmark
    public Object multiply(Work work, MaxError error) {
        double bytes = Float.BYTES * ((double) m * k + (double) k * n + (double) m * n);
        return run(work, error, 2.0 * m * n * k, bytes);
    }
}
