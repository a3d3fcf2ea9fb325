package org.lemmata.kernel.problem;

import java.util.SplittableRandom;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matrix.Matrix;

/** C = A B of m x n elements, each a sum of k products of numbers from -1 to 1. */
public final class MatMulProblem {

    private final MatMul.Form form;
    private final int m;
    private final int n;
    private final int k;
    private final Matrix a;
    private final Matrix b;
    private final Matrix bias;
    private final Matrix c;

    public MatMulProblem(MatMul.Form form, int m, int n, int k) {
        this.form = form;
        this.m = m;
        this.n = n;
        this.k = k;
        SplittableRandom random = new SplittableRandom(1);
        a = Numbers.uniform(form.rowsOfA(m, k), form.columnsOfA(m, k), -1, 1, random);
        b = Numbers.uniform(form.rowsOfB(n, k), form.columnsOfB(n, k), -1, 1, random);
        bias = Numbers.uniform(1, n, -1, 1, random);
        c = Matrix.of(new float[m * n], m, n);
    }

    /** The product. Each element may differ by at most (k + 1) 2^-24 |A| |B|. */
    public Workload<MatMul> multiply() {
        return new Workload<>(
                c.array(),
                matMul -> matMul.multiply(form, false, c, a, b),
                at -> Expected.of(k, l -> product(at, l)),
                0.5 * (k + 1),
                2.0 * m * n * k,
                4.0 * ((double) m * k + (double) k * n + (double) m * n));
    }

    public Workload<MatMul> multiplyAddBias() {
        Workload<MatMul> product = multiply();
        return new Workload<>(
                c.array(),
                matMul -> matMul.multiplyAddBias(form, c, a, b, bias),
                at -> Expected.of(k + 1, l -> l == k ? bias.get(0, at % n) : product(at, l)),
                0.5 * (k + 2),
                product.flops(),
                product.bytes() + 4.0 * n);
    }

    private double product(int at, int l) {
        int i = at / n;
        int j = at % n;
        double left = form == MatMul.Form.TN ? a.get(l, i) : a.get(i, l);
        return left * (form == MatMul.Form.NT ? b.get(j, l) : b.get(l, j));
    }
}
