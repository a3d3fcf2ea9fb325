package org.lemmata.construct;

import java.util.Map;
import org.lemmata.model.LanguageModel;

/** A construction with how its strings are read and what is answered to them. */
public interface ConstructionRun {

    Construction construction();

    /**
     * The answer to one line: names and values, in the order in which they are printed after the input.
     *
     * @param model the construction's model, at the precision asked for
     * @throws IllegalArgumentException if the line is not a legal input
     */
    Map<String, Object> answer(LanguageModel model, String line);
}
