package org.lemmata.model;

import java.util.Arrays;
import org.lemmata.oracle.CentralDifferences;
import org.lemmata.oracle.ExactCrossEntropy;
import org.lemmata.token.Batch;

/** The mean loss of a batch in binary64: cross-entropy for targets, squared error for values. */
final class ExactLoss {

    private ExactLoss() {}

    /**
     * The mean over answers.
     *
     * @param outputs row-major
     * @param rows the rows of the outputs, one per answer
     */
    static double mean(double[] outputs, int columns, int[] rows, Batch batch) {
        double sum = 0;
        for (int k = 0; k < rows.length; k++) {
            int row = rows[k] * columns;
            if (batch.values().length > 0) {
                double error = outputs[row] - batch.values()[k];
                sum += error * error;
                continue;
            }
            sum += ExactCrossEntropy.loss(Arrays.copyOfRange(outputs, row, row + columns), batch.targets()[k]);
        }
        return sum / rows.length;
    }

    /**
     * Derivatives of the mean loss of a transformer with respect to {@code parameters}, whose values they change and
     * restore.
     */
    static CentralDifferences of(ExactParameters parameters, Batch batch) {
        var model = new ReferenceTransformer(parameters);
        int columns = parameters.architecture().outputs();
        return new CentralDifferences(
                parameters.values(), () -> mean(model.logits(batch), columns, batch.scoredRows(), batch));
    }
}
