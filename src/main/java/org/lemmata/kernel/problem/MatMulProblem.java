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
    private final float[] a;
    private final float[] b;
    private final float[] bias;
    private final float[] c;
    private final Matrix ofA;
    private final Matrix ofB;
    private final Matrix ofC;

    public MatMulProblem(MatMul.Form form, int m, int n, int k) {
        this.form = form;
        this.m = m;
        this.n = n;
        this.k = k;
        SplittableRandom random = new SplittableRandom(1);
        a = Numbers.uniform(m * k, -1, 1, random);
        b = Numbers.uniform(k * n, -1, 1, random);
        bias = Numbers.uniform(n, -1, 1, random);
        c = new float[m * n];
        ofA = Matrix.of(a, form.rowsOfA(m, k), form.columnsOfA(m, k));
        ofB = Matrix.of(b, form.rowsOfB(n, k), form.columnsOfB(n, k));
        ofC = Matrix.of(c, m, n);
    }

    /** None may differ by more than (k + 1) 2^-24 |A| |B|. */
    public Workload<MatMul> multiply() {
        return new Workload<>(
                c,
                matMul -> matMul.multiply(form, false, ofC, ofA, ofB),
                at -> Sum.of(k, l -> product(at, l)),
                0.5 * (k + 1),
                2.0 * m * n * k,
                4.0 * ((double) m * k + (double) k * n + (double) m * n));
    }

    public Workload<MatMul> multiplyAddBias() {
        Matrix ofBias = Matrix.row(bias, 0, n);
        Workload<MatMul> product = multiply();
        return new Workload<>(
                c,
                matMul -> matMul.multiplyAddBias(form, ofC, ofA, ofB, ofBias),
                at -> Sum.of(k + 1, l -> l == k ? bias[at % n] : product(at, l)),
                0.5 * (k + 2),
                product.flops(),
                product.bytes() + 4.0 * n);
    }

    private double product(int at, int l) {
        int i = at / n;
        int j = at % n;
        double left = a[form == MatMul.Form.TN ? l * m + i : i * k + l];
        return left * b[form == MatMul.Form.NT ? j * k + l : l * n + j];
    }
}
