package org.lemmata.measure;

import java.util.Arrays;
import java.util.List;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.OutputOptions;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/**
 * The mean of (output - value)^2, or of -log softmax(logits)_target in nats, over the scored positions of a sequence.
 *
 * <p>If each example is scored only at its last position, the model computes only {@link LanguageModel#lastLogits},
 * which can be much faster.
 */
public final class SequenceLoss {

    private SequenceLoss() {}

    /**
     * The loss of each sequence.
     *
     * @param examples examples with at least one scored position each; with token answers for a next-token model, or
     *     numbers for a regression model
     */
    public static double[] of(LanguageModel model, List<Example> examples) {
        Batch batch = Batch.ofExamples(examples);
        boolean last = examples.stream()
                .allMatch(example -> Arrays.equals(example.scoredPositions(), new int[] {example.length() - 1}));
        double[] outputs = last ? model.lastLogits(batch) : model.logits(batch);
        double[] losses = new double[examples.size()];
        int start = 0;
        int answer = 0;
        for (int i = 0; i < losses.length; i++) {
            Example example = examples.get(i);
            int[] positions = example.scoredPositions();
            for (int position : positions) {
                losses[i] += loss(model, outputs, last ? i : start + position, batch, answer++);
            }
            losses[i] /= positions.length;
            start += example.length();
        }
        return losses;
    }

    private static double loss(LanguageModel model, double[] outputs, int row, Batch batch, int answer) {
        if (model.architecture().output().kind() == OutputOptions.Kind.REGRESSION) {
            double error = outputs[row] - batch.values()[answer];
            return error * error;
        }
        int columns = model.architecture().outputs();
        return crossEntropy(outputs, row * columns, columns, batch.targets()[answer]);
    }

    /** The cross-entropy summed over all scored rows of {@code batch}; 0 if there are none. */
    public static double sum(LanguageModel model, Batch batch) {
        int columns = model.architecture().outputs();
        double[] logits = model.logits(batch);
        double sum = 0;
        for (int i = 0; i < batch.targets().length; i++) {
            sum += crossEntropy(logits, batch.scoredRows()[i] * columns, columns, batch.targets()[i]);
        }
        return sum;
    }

    /** log(1 + sum_{j != target} exp(x_j - x_target)). This form is accurate even for losses far below an ulp of 1. */
    private static double crossEntropy(double[] logits, int offset, int columns, int target) {
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
