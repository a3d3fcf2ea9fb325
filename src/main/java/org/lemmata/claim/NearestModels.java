package org.lemmata.claim;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.lemmata.construct.Construction;
import org.lemmata.construct.Construction.Variation;
import org.lemmata.construct.UnmetDemandException;
import org.lemmata.model.LanguageModel;

/**
 * The models of constructions or, where formats cannot hold these, of their nearest variations of one setting that a
 * statement leaves open; which were taken is told with what was found.
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
     * A model.
     *
     * @param place where it is tested, and with which value of the setting: "-65 at N = 4"
     * @throws UnmetDemandException if no variation is held, either
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

    /** What was found, and which variations were taken. */
    public Finding told(Finding finding) {
        return taken.isEmpty()
                ? finding
                : finding.with("taken, the nearest that " + computation.precision() + " holds: "
                        + taken.entrySet().stream()
                                .map(each -> each.getValue() + " for " + each.getKey())
                                .collect(Collectors.joining(", "))
                        + " (" + why + ")");
    }
}
