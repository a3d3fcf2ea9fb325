package org.lemmata.kernel.normalization;

import org.jspecify.annotations.Nullable;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;

/**
 * Where {@link RoundedNormalization} rounds, and how.
 *
 * <p>The rows, gain and shift come as they are: whoever made them has rounded them.
 *
 * @param sums each difference, product and sum within a row: of the mean, of the mean square, and of the result
 * @param statistics the mean, the mean square plus epsilon and its reciprocal root, each once; if one of the two is
 *     null and the other not, null is binary32 to nearest even, and if both are, a row is what the unrounded kernel
 *     gives
 * @param outputs the normalized elements, and in the backward pass dx, once; null leaves them in binary32
 */
public record NormalizationRounding(
        @Nullable Rounding sums,
        @Nullable Rounding statistics,
        @Nullable TensorRounding outputs) {

    /** No site rounded: the bits of {@link VectorNormalization}. */
    public static NormalizationRounding none() {
        return new NormalizationRounding(null, null, null);
    }

    /** The result rounded, all before it in binary32. */
    public static NormalizationRounding tensors(TensorRounding rounding) {
        return new NormalizationRounding(null, null, rounding);
    }

    /** Every step, every statistic and the result rounded. */
    public static NormalizationRounding everything(Rounding rounding) {
        return new NormalizationRounding(rounding, rounding, rounding);
    }

    /** Whether anything before the result is rounded. */
    public boolean roundsSteps() {
        return sums != null || statistics != null;
    }
}
