package org.lemmata.experiment;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.lemmata.argument.Refuse;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.MultilayerPerceptron;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.file.StoredModel;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.task.Task;
import org.lemmata.token.Batch;

/**
 * The outputs of a model for sequences: {@code logits} of the next token, or for regression {@code value} and, if the
 * task has one, {@code target}. Outputs are computed for the last position or, with {@code each}, for every position;
 * {@code value} is then named {@code values}.
 */
public final class ModelOutputs {

    private final SavedModel saved;

    /** Computes one row of outputs per requested position. */
    private final Function<int[], double[][]> outputs;

    private final int longest;
    private final boolean regression;
    private final boolean each;

    /**
     * @param policy the rounding; empty for the rounding of the training run
     * @throws IllegalArgumentException if the model does not support the options
     */
    public ModelOutputs(SavedModel saved, Optional<PrecisionPolicy> policy, Kernels kernels, boolean each)
            throws IOException {
        this.saved = saved;
        this.each = each;
        if (saved.stored() instanceof StoredModel.OfPerceptron perceptron) {
            Refuse.when(policy.isPresent(), "format", "none for an mlp, which rounds nothing", "one");
            Refuse.when(each, "--each", "none for an mlp, which answers whole sequences", "it");
            var model = new MultilayerPerceptron(perceptron.options(), perceptron.values(), kernels);
            regression = true;
            longest = perceptron.maxLength();
            outputs = ids -> new double[][] {{model.outputs(Batch.of(List.of(ids)))[0]}};
            return;
        }
        LanguageModel model = saved.transformer(policy, kernels);
        longest = model.architecture().maxLength();
        regression = model.architecture().output().kind() == OutputOptions.Kind.REGRESSION;
        outputs = ids -> {
            int columns = model.architecture().outputs();
            Batch batch = Batch.of(List.of(ids));
            double[] all = each ? model.logits(batch) : model.lastLogits(batch);
            double[][] rows = new double[all.length / columns][];
            Arrays.setAll(rows, row -> Arrays.copyOfRange(all, row * columns, (row + 1) * columns));
            return rows;
        };
    }

    /**
     * The outputs for a line of input.
     *
     * @throws IllegalArgumentException if the line is not legal input
     */
    public Map<String, Object> answer(String line) {
        int[] ids = saved.read(line);
        Refuse.when(ids.length > longest, "input", "at most " + longest + " tokens", ids.length);
        double[][] rows = outputs.apply(ids);
        Map<String, Object> answer = new LinkedHashMap<>();
        if (regression) {
            answer.put(
                    each ? "values" : "value",
                    each ? Arrays.stream(rows).map(row -> row[0]).toList() : rows[0][0]);
            saved.task()
                    .flatMap(Task::regression)
                    .ifPresent(task -> answer.put("target", task.value(saved.ofTask(ids))));
        } else {
            answer.put("logits", each ? rows : rows[0]);
        }
        return answer;
    }
}
