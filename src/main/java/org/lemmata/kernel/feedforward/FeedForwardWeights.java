package org.lemmata.kernel.feedforward;

import org.jspecify.annotations.Nullable;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.GainAndShift;

/**
 * The parameters of a feed-forward layer, or their gradients; matrices without gaps between rows.
 *
 * @param first W1, inputs x hidden
 * @param firstBias b1, 1 x hidden, or null
 * @param norm gain and shift of the normalization, 1 x hidden each
 * @param second W2, hidden x outputs
 * @param secondBias b2, 1 x outputs, or null
 */
public record FeedForwardWeights(
        Matrix first,
        @Nullable Matrix firstBias,
        GainAndShift norm,
        Matrix second,
        @Nullable Matrix secondBias) {

    /** @param gradients whether the matrices are gradients; only error messages depend on it */
    void check(boolean gradients, FeedForwardShape shape) {
        int hidden = shape.hidden();
        first.requireDense(gradients ? "dweights (W1)" : "weights (W1)", shape.inputs(), hidden);
        Matrix.requireIfPresent(gradients ? "dweights (b1)" : "weights (b1)", firstBias, 1, hidden);
        if (shape.normalization() == null && (norm.gain() != null || norm.shift() != null)) {
            throw new IllegalArgumentException("gain, shift: expected none without a normalization, got one");
        }
        Matrix.requireIfPresent(gradients ? "dweights (gain)" : "weights (gain)", norm.gain(), 1, hidden);
        Matrix.requireIfPresent(gradients ? "dweights (shift)" : "weights (shift)", norm.shift(), 1, hidden);
        second.requireDense(gradients ? "dweights (W2)" : "weights (W2)", hidden, shape.outputs());
        Matrix.requireIfPresent(gradients ? "dweights (b2)" : "weights (b2)", secondBias, 1, shape.outputs());
    }

    int size() {
        return size(first) + size(firstBias) + size(norm.gain()) + size(norm.shift()) + size(second) + size(secondBias);
    }

    private static int size(@Nullable Matrix matrix) {
        return matrix == null ? 0 : matrix.rows() * matrix.columns();
    }

    /** Parameters of the same sizes, stored one after the other in {@code array} from {@code offset} on. */
    FeedForwardWeights packed(float[] array, int offset) {
        int firstBiasAt = offset + size(first);
        int gainAt = firstBiasAt + size(firstBias);
        int shiftAt = gainAt + size(norm.gain());
        int secondAt = shiftAt + size(norm.shift());
        return new FeedForwardWeights(
                Matrix.of(array, offset, first.rows(), first.columns(), first.columns()),
                rowLike(firstBias, array, firstBiasAt),
                new GainAndShift(rowLike(norm.gain(), array, gainAt), rowLike(norm.shift(), array, shiftAt)),
                Matrix.of(array, secondAt, second.rows(), second.columns(), second.columns()),
                rowLike(secondBias, array, secondAt + size(second)));
    }

    private static @Nullable Matrix rowLike(@Nullable Matrix given, float[] array, int offset) {
        return given == null ? null : Matrix.row(array, offset, given.columns());
    }

    boolean isLike(FeedForwardWeights other) {
        return isLike(first, other.first)
                && isLike(firstBias, other.firstBias)
                && isLike(norm.gain(), other.norm.gain())
                && isLike(norm.shift(), other.norm.shift())
                && isLike(second, other.second)
                && isLike(secondBias, other.secondBias);
    }

    private static boolean isLike(@Nullable Matrix a, @Nullable Matrix b) {
        return (a == null || b == null) ? a == b : (a.rows() == b.rows() && a.columns() == b.columns());
    }
}
