package org.lemmata.kernel.matmul;

import org.jspecify.annotations.Nullable;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;

/**
 * Where {@link RoundedMatMul} rounds, and how.
 *
 * <p>A and B, and the C or bias that sums start from, come as they are: whoever made them has rounded them.
 *
 * @param products each product a_il b_lj
 * @param sums each addition of a product to the running sum; if one of the two is null and the other not, null is
 *     binary32 to nearest even, and if both are, there are no sites within the sum: it is that of the unrounded kernel
 * @param outputs the elements of C, once, after their last addition; null leaves them in binary32
 */
public record MatMulRounding(
        @Nullable Rounding products,
        @Nullable Rounding sums,
        @Nullable TensorRounding outputs) {

    /** No site rounded: the bits of {@link VectorMatMul}. */
    public static MatMulRounding none() {
        return new MatMulRounding(null, null, null);
    }

    /** The result rounded, sums in binary32: what matrix units that accumulate in binary32 do. */
    public static MatMulRounding tensors(TensorRounding rounding) {
        return new MatMulRounding(null, null, rounding);
    }

    /** Every product, every addition and the result rounded. */
    public static MatMulRounding everything(Rounding rounding) {
        return new MatMulRounding(rounding, rounding, rounding);
    }

    /** Whether products or sums are rounded: then none is fused. */
    public boolean roundsSteps() {
        return products != null || sums != null;
    }
}
