package org.lemmata.kernel.matmul;

import org.jspecify.annotations.Nullable;
import org.lemmata.number.Rounding;

/**
 * Where {@link RoundedMatMul} rounds, and how; null leaves a site in binary32, to nearest even.
 *
 * <p>A and B, and the C or bias that sums start from, come as they are: whoever made them has rounded them.
 *
 * @param products each product a_il b_lj
 * @param sums each addition of a product to the running sum
 * @param outputs each element of C, once, after its last addition
 */
public record MatMulRounding(
        @Nullable Rounding products,
        @Nullable Rounding sums,
        @Nullable Rounding outputs) {

    /** No site rounded: the bits of {@link ScalarMatMul}. */
    public static MatMulRounding none() {
        return new MatMulRounding(null, null, null);
    }

    /** The result rounded, products and sums in binary32: what matrix units that accumulate in binary32 do. */
    public static MatMulRounding tensors(Rounding rounding) {
        return new MatMulRounding(null, null, rounding);
    }

    /** Every product, every addition and the result rounded. */
    public static MatMulRounding everything(Rounding rounding) {
        return new MatMulRounding(rounding, rounding, rounding);
    }
}
