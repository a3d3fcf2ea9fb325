package org.lemmata.kernel.normalization;

import org.jspecify.annotations.Nullable;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;

/**
 * The rounding of each site of {@link RoundedNormalization}.
 *
 * <p>The rows, gain and shift are not rounded here; the operations that computed them may round them.
 *
 * @param sums each difference, product and sum that computes the mean, the mean square or the result of a row
 * @param statistics the mean, the mean square plus epsilon, and its reciprocal root, each rounded once. If only one of
 *     {@code sums} and {@code statistics} is null, that site is rounded to binary32, to nearest even. If both are null,
 *     the unrounded kernel computes the rows
 * @param outputs the normalized elements, and in the backward pass dx, each rounded once; null leaves them in binary32
 */
public record NormalizationRounding(
        @Nullable Rounding sums,
        @Nullable Rounding statistics,
        @Nullable TensorRounding outputs) {

    public boolean roundsSteps() {
        return sums != null || statistics != null;
    }
}
