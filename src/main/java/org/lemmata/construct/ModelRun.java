package org.lemmata.construct;

import java.util.Map;
import java.util.function.Function;
import org.lemmata.model.LanguageModel;

/** A construction of a transformer with the format of its input lines and answers. */
public interface ModelRun extends ConstructionRun {

    Construction construction();

    /**
     * The answer to one line: names and values, in display order.
     *
     * @param model the construction's model at the requested precision
     * @throws IllegalArgumentException if the line is not a legal input
     */
    Map<String, Object> answer(LanguageModel model, String line);

    @Override
    default Function<String, Map<String, Object>> answers(Function<Construction, LanguageModel> models) {
        LanguageModel model = models.apply(construction());
        return line -> answer(model, line);
    }
}
