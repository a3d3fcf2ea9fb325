package org.lemmata.kernel.matmul;

import org.jspecify.annotations.Nullable;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;

/**
 * The rounding of each site of {@link RoundedMatMul}.
 *
 * <p>A and B, and the C or bias that sums start from, are not rounded here; the operations that computed them may round
 * them.
 *
 * @param products each product a_il b_lj
 * @param sums each addition of a product to the running sum. If only one of {@code products} and {@code sums} is null,
 *     that site is rounded to binary32, to nearest even. If both are null, the unrounded kernel computes the sums
 * @param outputs the elements of C, rounded once after their last addition; null leaves them in binary32
 */
public record MatMulRounding(
        @Nullable Rounding products,
        @Nullable Rounding sums,
        @Nullable TensorRounding outputs) {

    /** Whether products or sums are rounded, so that they cannot be fused. */
    public boolean roundsSteps() {
        return products != null || sums != null;
    }
}
