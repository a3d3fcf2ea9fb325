package org.lemmata.kernel.matmul;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;

/**
 * Matrix product with SIMD: c_ij is the chain of fused multiply-adds fma(a_il, b_lj, c_ij) over the inner index in
 * ascending order, from 0, from bias_j or from the old c_ij.
 *
 * <p>Blocks, lanes and threads never split this chain, so the bits are the same for every block size and every number
 * of lanes and threads. They are also the same for products that are too small for vectors.
 *
 * <p>A call allocates nothing once the packing space of its threads is large enough.
 *
 * <p>Source of the loop order: Goto and van de Geijn (2008), Anatomy of High-Performance Matrix Multiplication.
 */
public final class VectorMatMul implements MatMul {

    private static final ThreadLocal<Product> PRODUCT = ThreadLocal.withInitial(Product::new);

    private final Workers workers;

    /**
     * Creates an instance whose threads divide the rows or the columns of C, whichever are more. A product that takes
     * less than about 40 microseconds is not split.
     */
    public VectorMatMul(Workers workers) {
        this.workers = workers;
    }

    @Override
    public void multiply(Form form, boolean accumulate, Matrix c, Matrix a, Matrix b) {
        MatMul.check(form, c, a, b, null);
        PRODUCT.get().run(workers, form, accumulate ? c : null, accumulate ? c.stride() : 0, c, a, b);
    }

    @Override
    public void multiplyAddBias(Form form, Matrix c, Matrix a, Matrix b, @Nullable Matrix bias) {
        MatMul.check(form, c, a, b, bias);
        PRODUCT.get().run(workers, form, bias, 0, c, a, b);
    }
}
