package org.lemmata.train;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.lemmata.argument.Refuse;
import org.lemmata.model.Objective;
import org.lemmata.token.Batch;

/**
 * The data and measures on which a model is evaluated during training.
 *
 * @param validation determines early stopping and the best parameters; may be empty
 * @param test measured once, at the end; may be empty
 * @param hooks other measures by name, computed at each evaluation. Each maps the flat array of parameters, which it
 *     must not change, to named numbers
 */
public record Evaluation(
        List<Batch> validation,
        List<Batch> test,
        SortedMap<String, Function<float[], SortedMap<String, Double>>> hooks) {

    public Evaluation {
        validation = requireScored("validation", validation);
        test = requireScored("test", test);
        hooks = Collections.unmodifiableSortedMap(new TreeMap<>(hooks));
    }

    private static List<Batch> requireScored(String name, List<Batch> batches) {
        Refuse.when(!batches.isEmpty() && rows(batches) == 0, name, "scored positions", "none");
        return List.copyOf(batches);
    }

    private static long rows(List<Batch> batches) {
        return batches.stream().mapToLong(batch -> batch.scoredRows().length).sum();
    }

    boolean isEmpty() {
        return validation.isEmpty() && hooks.isEmpty();
    }

    /** The mean loss over the scored rows of all batches. */
    public static double loss(Objective objective, List<Batch> batches) {
        double sum = 0;
        for (Batch batch : batches) {
            int rows = batch.scoredRows().length;
            sum += rows == 0 ? 0 : rows * objective.loss(batch);
        }
        return sum / rows(batches);
    }
}
