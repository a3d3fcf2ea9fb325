package org.lemmata.construct;

import java.util.Map;
import java.util.function.Function;
import org.lemmata.model.LanguageModel;

/** Reads lines of input and computes answers with a construction ({@link ModelRun}) or with another model. */
public interface ConstructionRun {

    /**
     * Returns the function that maps a line to the names and values of its answer, in display order. The function
     * rejects an illegal line with an {@link IllegalArgumentException}.
     *
     * @param models builds the models of constructions at the requested precision
     */
    Function<String, Map<String, Object>> answers(Function<Construction, LanguageModel> models);
}
