package org.lemmata.measure;

import java.util.List;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.OutputOptions;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;

/**
 * The mean over the scored positions of a sequence of (output - value)^2, or of -log softmax(logits)_target in nats.
 *
 * <p>Where only the last position is scored, no more of the last layer is computed, so that a model of one layer takes
 * time linear in the length ({@link LanguageModel#lastLogits}).
 */
public final class SequenceLoss {

    private SequenceLoss() {}

    /**
     * The loss of each sequence.
     *
     * @param examples with answers of the model's kind, each with at least one scored position
     */
    public static double[] of(LanguageModel model, List<Example> examples) {
        Batch batch = Batch.ofExamples(examples);
        int[] scored = batch.scoredRows();
        boolean last = isLastAlone(batch);
        double[] outputs = last ? model.lastLogits(batch) : model.logits(batch);
        double[] losses = new double[examples.size()];
        int next = 0;
        for (int sequence = 0; sequence < losses.length; sequence++) {
            int first = next;
            while (next < scored.length && scored[next] < batch.sequences().end(sequence)) {
                losses[sequence] += loss(model, outputs, last ? next : scored[next], batch, next);
                next++;
            }
            losses[sequence] /= next - first;
        }
        return losses;
    }

    private static boolean isLastAlone(Batch batch) {
        int[] scored = batch.scoredRows();
        boolean last = scored.length == batch.sequences().count();
        for (int sequence = 0; last && sequence < scored.length; sequence++) {
            last = scored[sequence] == batch.sequences().end(sequence) - 1;
        }
        return last;
    }

    /** Of the answer of a number, at a row of the outputs. */
    private static double loss(LanguageModel model, double[] outputs, int row, Batch batch, int answer) {
        if (model.architecture().output().kind() == OutputOptions.Kind.REGRESSION) {
            double error = outputs[row] - batch.values()[answer];
            return error * error;
        }
        int columns = model.architecture().outputs();
        return CrossEntropy.of(outputs, row * columns, columns, batch.targets()[answer]);
    }
}
