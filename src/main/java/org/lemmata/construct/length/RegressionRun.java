package org.lemmata.construct.length;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.lemmata.argument.Refuse;
import org.lemmata.construct.Construction;
import org.lemmata.construct.ModelRun;
import org.lemmata.model.LanguageModel;
import org.lemmata.token.Batch;

/**
 * Answers tokens with blanks between them by the number that a model of regression gives at the last one, and the
 * number of the task that it expresses.
 *
 * @param construction of such a model
 * @param task the number of a sequence of the construction's tokens
 */
record RegressionRun(Construction construction, ToDoubleFunction<int[]> task) implements ModelRun {

    @Override
    public Map<String, Object> answer(LanguageModel model, String line) {
        Refuse.when(line.isEmpty(), "input", "at least 1 token", "none");
        int[] tokens = Arrays.stream(line.split("\\s+"))
                .mapToInt(construction.vocabulary()::id)
                .toArray();
        int maxLength = model.architecture().maxLength();
        Refuse.when(tokens.length > maxLength, "input", "at most " + maxLength + " tokens", tokens.length);
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("value", model.lastLogits(Batch.of(List.of(tokens)))[0]);
        answer.put("target", task.applyAsDouble(tokens));
        return answer;
    }
}
