package org.lemmata.kernel.normalization;

import org.jspecify.annotations.Nullable;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;

/**
 * The rounding of each site of {@link RoundedNormalization}.
 *
 * <p>The rows, gain and shift are not rounded here; the operations that computed them may round them.
 *
 * @param sums each difference, product and sum within a row: of the mean, of the mean square, and of the result
 * @param statistics the mean, the mean square plus epsilon and its reciprocal root, each once; if only one of
 *     {@code sums} and {@code statistics} is null, that site is binary32, rounded to nearest even; if both are null,
 *     the unrounded kernel computes the rows
 * @param outputs the normalized elements, and in the backward pass dx, each rounded once; null leaves them in binary32
 */
public record NormalizationRounding(
        @Nullable Rounding sums,
        @Nullable Rounding statistics,
        @Nullable TensorRounding outputs) {

    /** Rounds nothing, and so has the bits of {@link VectorNormalization}. */
    public static NormalizationRounding none() {
        return new NormalizationRounding(null, null, null);
    }

    /** Rounds only the result; earlier steps are in binary32. */
    public static NormalizationRounding tensors(TensorRounding rounding) {
        return new NormalizationRounding(null, null, rounding);
    }

    /** Rounds every step, every statistic and the result. */
    public static NormalizationRounding everything(Rounding rounding) {
        return new NormalizationRounding(rounding, rounding, rounding);
    }

    /** Whether anything before the result is rounded. */
    public boolean roundsSteps() {
        return sums != null || statistics != null;
    }
}
