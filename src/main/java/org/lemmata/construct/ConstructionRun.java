package org.lemmata.construct;

import java.util.Map;
import java.util.function.Function;
import org.lemmata.model.LanguageModel;

/** Reads strings and answers them with a construction ({@link ModelRun}) or a model of its own. */
public interface ConstructionRun {

    /**
     * Returns the function from a line to the names and values of its answer, in the order in which they are printed
     * after the input. The function rejects an illegal line with an {@link IllegalArgumentException}.
     *
     * @param models builds the models of constructions at the requested precision
     */
    Function<String, Map<String, Object>> answers(Function<Construction, LanguageModel> models);
}
