package org.lemmata.train;

import java.util.SortedMap;

/** What is measured of a model besides its loss: the share of valid completions, say. */
@FunctionalInterface
public interface EvaluationHook {

    /**
     * Named numbers, which follow from the parameters alone.
     *
     * @param parameters the flat array of the objective: not to be written to
     */
    SortedMap<String, Double> measure(float[] parameters);
}
