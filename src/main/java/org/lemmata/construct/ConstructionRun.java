package org.lemmata.construct;

import java.util.Map;
import java.util.function.Function;
import org.lemmata.model.LanguageModel;

/** What reads strings and answers them: a {@link ModelRun}, or one that has a model of its own. */
public interface ConstructionRun {

    /**
     * What answers a line by names and values, in the order in which they are printed after the input; it refuses a
     * line that is no legal input by an {@link IllegalArgumentException}.
     *
     * @param models makes the models of constructions, at the precision asked for
     */
    Function<String, Map<String, Object>> answers(Function<Construction, LanguageModel> models);
}
