package org.lemmata.kernel.feedforward;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.matrix.Matrix;

/**
 * The values that a feed-forward layer saves for its backward pass.
 *
 * @param hidden x W1 + b1, rows x hidden, without gaps between rows
 * @param statistics statistics of the normalization, rows x {@link FeedForwardShape#statistics}, or null if nothing is
 *     normalized
 */
public record FeedForwardSaved(Matrix hidden, @Nullable Matrix statistics) {

    void check(FeedForwardShape shape, int rows) {
        hidden.requireDense("hidden", rows, shape.hidden());
        if (shape.normalization() != null && statistics == null) {
            throw new IllegalArgumentException("statistics: expected some for " + shape.normalization() + ", got none");
        }
        Matrix.requireIfPresent("statistics", statistics, rows, shape.statistics());
    }
}
