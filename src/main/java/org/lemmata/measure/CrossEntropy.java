package org.lemmata.measure;

import org.lemmata.model.LanguageModel;
import org.lemmata.token.Batch;

/** -log softmax(logits_row)_target, in nats, summed over the scored rows of a batch. */
public final class CrossEntropy {

    private CrossEntropy() {}

    /** The loss summed over all scored rows of {@code batch}; 0 if there are none. */
    public static double sum(LanguageModel model, Batch batch) {
        int columns = model.architecture().outputs();
        double[] logits = model.logits(batch);
        double sum = 0;
        for (int i = 0; i < batch.targets().length; i++) {
            sum += of(logits, batch.scoredRows()[i] * columns, columns, batch.targets()[i]);
        }
        return sum;
    }

    /** log(1 + sum_{j != target} exp(x_j - x_target)). This form is accurate even for losses far below an ulp of 1. */
    static double of(double[] logits, int offset, int columns, int target) {
        if (logits[offset + target] == Double.NEGATIVE_INFINITY) {
            return Double.POSITIVE_INFINITY;
        }
        double maximum = Double.NEGATIVE_INFINITY;
        for (int j = 0; j < columns; j++) {
            if (j != target) {
                maximum = Math.max(maximum, logits[offset + j] - logits[offset + target]);
            }
        }
        if (maximum > 0) {
            double total = Math.exp(-maximum);
            for (int j = 0; j < columns; j++) {
                total += j == target ? 0 : Math.exp(logits[offset + j] - logits[offset + target] - maximum);
            }
            return maximum + Math.log(total);
        }
        double others = 0;
        for (int j = 0; j < columns; j++) {
            others += j == target ? 0 : Math.exp(logits[offset + j] - logits[offset + target]);
        }
        return Math.log1p(others);
    }
}
