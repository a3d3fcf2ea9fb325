package org.lemmata.kernel.matmul.peer;

import java.util.List;
import org.lemmata.benchmark.peer.Contender;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matmul.VectorMatMul;

/** By {@link VectorMatMul}, over arrays of the heap. */
final class LemmataProduct implements Contender {

    private final MatMul matMul = new VectorMatMul();
    private final float[] a;
    private final float[] b;
    private final float[] c;
    private final int m;
    private final int n;
    private final int k;

    LemmataProduct(float[] a, float[] b, int m, int n, int k) {
        this.a = a;
        this.b = b;
        this.c = new float[m * n];
        this.m = m;
        this.n = n;
        this.k = k;
    }

    @Override
    public void run() {
        matMul.multiply(MatMul.Form.NN, false, c, 0, n, a, 0, k, b, 0, n, m, n, k);
    }

    @Override
    public List<float[]> results() {
        run();
        return List.of(c);
    }

    @Override
    public String description() {
        return "Lemmata, " + Kernels.best().description();
    }
}
