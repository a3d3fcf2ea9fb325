package org.lemmata.claim.depth.figure;

import java.util.ArrayList;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Figure.Series;
import org.lemmata.source.Source;
import org.lemmata.track.CellRecord;

/** Completions as paths of the stack, as Richard (2024), figure 4, draws them, with the closed form's beside. */
final class CompletionPaths {

    /** The closed form's path then has the last of the page's six colours. */
    private static final int SHOWN = 4;

    private CompletionPaths() {}

    /**
     * The most frequent completions of a context by one run, and that of the closed form.
     *
     * @param model what the run was trained on, for people
     * @param source what of the paper the picture stands beside
     */
    static Figure picture(CellRecord run, String context, String model, Source source, Computation computation) {
        var paths = new ArrayList<>(TwoModels.completions(run, context).stream()
                .limit(SHOWN)
                .map(completion -> path((int) completion.value() + " of 100", TwoModels.word(completion)))
                .toList());
        String begun = TwoModels.brackets(run, context);
        paths.add(path(
                "without learning: always close",
                begun + ")".repeat(TwoModels.trainingWord(run).length() - begun.length())));
        paths.add(path(
                "closed form",
                TrainingWordClosedForm.of(run).completion(TwoModels.brackets(run, context), computation)));
        return new Figure(
                "Completions of the context " + context + " by the model of " + model,
                "The size of the stack along the most frequent of 100 completions, with how often they came; seed "
                        + run.seed()
                        + ". The closed form of theorem 4.1 (gamma = -1/2), made from the first word that this"
                        + " model was trained on, completes the same context greedily. Beside " + source.citation()
                        + ".",
                "position",
                "stack",
                paths);
    }

    private static Series path(String name, String word) {
        var x = new ArrayList<Double>();
        var y = new ArrayList<Double>();
        for (int i = 0; i <= word.length(); i++) {
            x.add((double) i);
            y.add((double) TwoModels.stack(word, i));
        }
        return new Series(name, x, y);
    }
}
