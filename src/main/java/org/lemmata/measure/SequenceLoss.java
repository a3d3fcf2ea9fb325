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
        return CrossEntropy.of(outputs, row * columns, columns, batch.targets()[answer]);
    }
}
