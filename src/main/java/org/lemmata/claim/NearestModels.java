package org.lemmata.claim;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.lemmata.construct.Construction;
import org.lemmata.construct.Construction.Variation;
import org.lemmata.construct.UnmetDemandException;
import org.lemmata.model.LanguageModel;

/**
 * Creates models of constructions. If a format is too narrow for a construction, the model uses the nearest value of
 * {@code setting} that works; the statement leaves this setting open. The finding lists the values used.
 */
public final class NearestModels {

    private final Computation computation;
    private final String setting;
    private final Map<String, String> taken = new LinkedHashMap<>();
    private String why = "";

    public NearestModels(Computation computation, String setting) {
        this.computation = computation;
        this.setting = setting;
    }

    /**
     * The model of a construction or of its nearest variation.
     *
     * @param place the value of the setting and the tested case, such as "-65 at N = 4"
     * @throws UnmetDemandException if the format is too narrow and no variation of the setting can be used
     */
    public LanguageModel of(Construction construction, String place) {
        try {
            return computation.model(construction);
        } catch (UnmetDemandException e) {
            Variation nearest = computation
                    .policy()
                    .flatMap(policy -> construction.nearest(policy, computation.kernels()))
                    .filter(variation -> variation.setting().equals(setting))
                    .orElseThrow(() -> e);
            taken.put(place, nearest.toString());
            why = String.valueOf(e.getMessage()).replaceFirst(";.*", "");
            return computation.model(nearest.construction());
        }
    }

    /** The finding, with the used variations in the verdict's reason. */
    public Finding withVariations(Finding finding) {
        return taken.isEmpty()
                ? finding
                : finding.with("used "
                        + taken.entrySet().stream()
                                .map(each -> each.getValue() + " instead of " + each.getKey())
                                .collect(Collectors.joining(", "))
                        + ", for which " + computation.precision() + " is too narrow (" + why + ")");
    }
}
