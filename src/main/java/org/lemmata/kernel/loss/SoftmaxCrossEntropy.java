package org.lemmata.kernel.loss;

import org.lemmata.kernel.matrix.Matrix;

/**
 * factor sum_k -log softmax(z_r(k))_t(k), over scored rows r(k) of a matrix of logits z with targets t(k).
 *
 * <p>The scored rows and their targets are those of {@code org.lemmata.token.Batch}: {@code scoredRows} strictly
 * ascending, one target each; the other rows are not read. A factor of 1 over the number of scored rows gives the mean,
 * a factor of 1 the sum.
 *
 * <p>A loss is log(1 + s / e_t) with s the sum of the exponentials of all logits but the target's, never the logarithm
 * of a rounded probability: it is accurate near 0, and logits may be of any size. A row whose target has -infinity has
 * the loss infinity; a row with +infinity or NaN, or of -infinity alone, has NaN.
 */
public sealed interface SoftmaxCrossEntropy permits ScalarSoftmaxCrossEntropy, VectorSoftmaxCrossEntropy {

    /**
     * The loss; 0 if no row is scored.
     *
     * @throws IllegalArgumentException if targets and scored rows differ in number, a scored row is not one of the rows
     *     or not above the one before it, or a target is not one of the columns
     */
    double forward(Matrix logits, int[] targets, int[] scoredRows, double factor);

    /**
     * Overwrites row r(k) of dlogits with factor (softmax(z) - onehot(t(k))), and all other rows with zeros; returns
     * the loss, with the bits that {@link #forward} gives it.
     *
     * @param dlogits may be {@code logits} at the same place, and must not overlap it otherwise
     * @throws IllegalArgumentException as {@link #forward} does, or if dlogits has other sizes than the logits
     */
    double backward(Matrix dlogits, Matrix logits, int[] targets, int[] scoredRows, double factor);

    /** The argument check that every forward pass makes first. */
    static void check(Matrix logits, int[] targets, int[] scoredRows) {
        int rows = logits.rows();
        int columns = logits.columns();
        if (targets.length != scoredRows.length) {
            throw new IllegalArgumentException(
                    "targets: expected one a scored row, " + scoredRows.length + ", got " + targets.length);
        }
        int previous = -1;
        for (int k = 0; k < targets.length; k++) {
            if (scoredRows[k] <= previous || scoredRows[k] >= rows) {
                throw new IllegalArgumentException("scoredRows[" + k + "]: expected a row from " + (previous + 1)
                        + " to " + (rows - 1) + ", got " + scoredRows[k]);
            }
            previous = scoredRows[k];
            if (targets[k] < 0 || targets[k] >= columns) {
                throw new IllegalArgumentException(
                        "targets[" + k + "]: expected an id from 0 to " + (columns - 1) + ", got " + targets[k]);
            }
        }
    }
}
