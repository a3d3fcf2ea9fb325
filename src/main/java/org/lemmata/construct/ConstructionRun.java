package org.lemmata.construct;

import java.util.Map;
import java.util.function.Function;
import org.lemmata.model.LanguageModel;

/** Reads strings and answers them, by a construction ({@link ModelRun}) or by a model of its own. */
public interface ConstructionRun {

    /**
     * Returns the function that answers a line by names and values, in the order in which they are printed after the
     * input. It rejects an illegal line by an {@link IllegalArgumentException}.
     *
     * @param models builds the models of constructions at the requested precision
     */
    Function<String, Map<String, Object>> answers(Function<Construction, LanguageModel> models);
}
