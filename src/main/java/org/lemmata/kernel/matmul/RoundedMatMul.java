package org.lemmata.kernel.matmul;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.quantization.Quantization;
import org.lemmata.kernel.quantization.RoundedMultiplyAdd;
import org.lemmata.kernel.quantization.VectorQuantization;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.RandomStream;

/**
 * Matrix product with each site of a {@link MatMulRounding} rounded to its own number format, with SIMD: c_ij =
 * outputs(s_k) and s_(l+1) = sums(s_l + products(a_il b_lj)) for l = 0 ... k - 1.
 *
 * <p>The sum runs over the inner index in ascending order, from +0, from bias_j or from the old c_ij, never fused. Each
 * site rounds the exact product or sum of its binary32 operands. The result is stored in binary32, exactly if binary32
 * has all values of the format. If neither products nor sums are rounded, {@link VectorMatMul} computes s_k, as a chain
 * of fused multiply-adds in the same order.
 *
 * <p>Stochastic rounding in step l of element (i, j) uses the random word {@code part.word((i * k + l) * roundUp(n, 32)
 * + j)}. The part of the stream is {@value #PRODUCTS} for products and {@value #SUMS} for sums. Outputs use the words
 * of {@link Quantization} in part {@value #OUTPUTS}. So 32 neighbouring columns share a tile of words, and the words do
 * not depend on the order of the work. After 2^34 words, the words of a part repeat.
 *
 * <p>Results are bit-identical to {@link ScalarRoundedMatMul}, for every number of lanes and threads.
 */
public final class RoundedMatMul implements MatMul {

    /** The part of the stream that contains the words of products. */
    static final int PRODUCTS = 0;

    static final int SUMS = 1;
    static final int OUTPUTS = 2;

    private static final ThreadLocal<RoundedProduct> PRODUCT = ThreadLocal.withInitial(RoundedProduct::new);

    private final MatMulRounding rounding;
    final RandomStream productStream;
    final RandomStream sumStream;
    private final RandomStream outputStream;
    final Workers workers;
    private final VectorMatMul unrounded;
    private final Quantization quantization;

    /** Null if no step is rounded. */
    private final @Nullable RoundedMultiplyAdd step;

    /** @param stream the random words of stochastic rounding; ignored by other modes */
    public RoundedMatMul(MatMulRounding rounding, RandomStream stream, Workers workers) {
        this.rounding = rounding;
        this.workers = workers;
        productStream = stream.part(PRODUCTS);
        sumStream = stream.part(SUMS);
        outputStream = stream.part(OUTPUTS);
        unrounded = new VectorMatMul(workers);
        quantization = new VectorQuantization(workers);
        step = rounding.roundsSteps() ? new RoundedMultiplyAdd(rounding.products(), rounding.sums()) : null;
    }

    @Override
    public void multiply(Form form, boolean accumulate, Matrix c, Matrix a, Matrix b) {
        if (step == null) {
            unrounded.multiply(form, accumulate, c, a, b);
        } else {
            MatMul.check(form, c, a, b, null);
            PRODUCT.get().run(this, step, form, accumulate ? c : null, accumulate ? c.stride() : 0, c, a, b);
        }
        roundOutputs(c);
    }

    @Override
    public void multiplyAddBias(Form form, Matrix c, Matrix a, Matrix b, @Nullable Matrix bias) {
        if (step == null) {
            unrounded.multiplyAddBias(form, c, a, b, bias);
        } else {
            MatMul.check(form, c, a, b, bias);
            PRODUCT.get().run(this, step, form, bias, 0, c, a, b);
        }
        roundOutputs(c);
    }

    private void roundOutputs(Matrix c) {
        TensorRounding outputs = rounding.outputs();
        if (outputs != null) {
            quantization.round(c, c, outputs, outputStream);
        }
    }
}
