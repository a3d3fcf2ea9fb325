package org.lemmata.kernel.loss;

import org.lemmata.kernel.matrix.Matrix;

/**
 * Cross-entropy loss: factor sum_k -log softmax(z_r(k))_t(k), over scored rows r(k) of logits z with targets t(k).
 *
 * <p>The scored rows and their targets are as in {@code org.lemmata.token.Batch}: {@code scoredRows} is strictly
 * ascending, with one target per scored row; other rows are not read. If the factor is 1 / (number of scored rows), the
 * loss is the mean; if it is 1, the loss is the sum.
 *
 * <p>The loss of a row is log(1 + s / e_t), where e_t is the exponential of the target's logit, and s is the sum of all
 * other exponentials. It is never computed as the logarithm of a rounded probability, so it is accurate near 0 and for
 * logits of any size. If the target's logit is -infinity, the loss is infinite; a row with +infinity or NaN, or with
 * only -infinity, has the loss NaN.
 */
public sealed interface SoftmaxCrossEntropy permits ScalarSoftmaxCrossEntropy, VectorSoftmaxCrossEntropy {

    /**
     * The loss; 0 if no row is scored.
     *
     * @throws IllegalArgumentException if the numbers of targets and scored rows differ, the scored rows are not rows
     *     in strictly ascending order, or a target is not a column
     */
    double forward(Matrix logits, int[] targets, int[] scoredRows, double factor);

    /**
     * Overwrites row r(k) of dlogits with factor (softmax(z) - onehot(t(k))), and all other rows with zeros; returns a
     * loss bit-identical to {@link #forward}.
     *
     * @param dlogits may be {@code logits} at the same offset, and must not overlap it otherwise
     * @throws IllegalArgumentException as in {@link #forward}, or if dlogits has other sizes than the logits
     */
    double backward(Matrix dlogits, Matrix logits, int[] targets, int[] scoredRows, double factor);

    static void check(Matrix logits, int[] targets, int[] scoredRows) {
        int rows = logits.rows();
        int columns = logits.columns();
        if (targets.length != scoredRows.length) {
            throw new IllegalArgumentException(
                    "targets: expected one per scored row, " + scoredRows.length + ", got " + targets.length);
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
