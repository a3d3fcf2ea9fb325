package org.lemmata.kernel.matmul;

import org.lemmata.kernel.elementary.Extents;
import org.lemmata.kernel.thread.Workers;

/**
 * On SIMD lanes: c_ij is the chain of fused multiply-adds fma(a_il, b_lj, c_ij) over the inner index in ascending
 * order, from 0, from bias_j or from the old c_ij.
 *
 * <p>Blocks, lanes and threads never cut that chain, so the bits are the same for every lane width, block size and
 * number of threads, and on the path without lanes for products too small for them.
 *
 * <p>A call allocates nothing once its threads' packing space has grown to the sizes that it uses.
 *
 * <p>Source of the loop order: Goto and van de Geijn (2008), Anatomy of High-Performance Matrix Multiplication.
 */
public final class VectorMatMul implements MatMul {

    private static final ThreadLocal<Product> PRODUCT = ThreadLocal.withInitial(Product::new);

    private final Workers workers;

    /** On the calling thread alone. */
    public VectorMatMul() {
        this(Workers.caller());
    }

    /**
     * On several threads: the rows of C are split among them, or its columns if it has more of these; a product that
     * takes less than some 40 microseconds is not split.
     */
    public VectorMatMul(Workers workers) {
        this.workers = workers;
    }

    @Override
    public void multiply(
            Form form,
            boolean accumulate,
            float[] c,
            int cOffset,
            int cStride,
            float[] a,
            int aOffset,
            int aStride,
            float[] b,
            int bOffset,
            int bStride,
            int m,
            int n,
            int k) {
        MatMul.check(form, c, cOffset, cStride, a, aOffset, aStride, b, bOffset, bStride, m, n, k);
        Product product = PRODUCT.get();
        if (accumulate) {
            product.startFrom(c, cOffset, cStride, 1);
        } else {
            product.startFromZero();
        }
        run(product, form, c, cOffset, cStride, a, aOffset, aStride, b, bOffset, bStride, m, n, k);
    }

    @Override
    public void multiplyAddBias(
            Form form,
            float[] c,
            int cOffset,
            int cStride,
            float[] a,
            int aOffset,
            int aStride,
            float[] b,
            int bOffset,
            int bStride,
            float[] bias,
            int biasOffset,
            int m,
            int n,
            int k) {
        MatMul.check(form, c, cOffset, cStride, a, aOffset, aStride, b, bOffset, bStride, m, n, k);
        Extents.checkVector("bias", bias, biasOffset, n);
        Product product = PRODUCT.get();
        product.startFrom(bias, biasOffset, 0, 1);
        run(product, form, c, cOffset, cStride, a, aOffset, aStride, b, bOffset, bStride, m, n, k);
    }

    private void run(
            Product product,
            Form form,
            float[] c,
            int cOffset,
            int cStride,
            float[] a,
            int aOffset,
            int aStride,
            float[] b,
            int bOffset,
            int bStride,
            int m,
            int n,
            int k) {
        product.form = form;
        product.c = c;
        product.cOffset = cOffset;
        product.cStride = cStride;
        product.a = a;
        product.aOffset = aOffset;
        product.aStride = aStride;
        product.b = b;
        product.bOffset = bOffset;
        product.bStride = bStride;
        product.m = m;
        product.n = n;
        product.k = k;
        product.run(workers);
    }
}
