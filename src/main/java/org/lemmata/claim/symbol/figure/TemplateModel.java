package org.lemmata.claim.symbol.figure;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.lemmata.track.CellRecord;

/**
 * What a run trained.
 *
 * @param perceptron whether it is a multilayer perceptron
 * @param incidence whether that also reads X Xᵀ
 * @param keyQuery whether the heads have a I
 * @param valueOutput whether they have b I
 * @param ownRate whether a and b have a learning rate of their own
 */
record TemplateModel(boolean perceptron, boolean incidence, boolean keyQuery, boolean valueOutput, boolean ownRate) {

    static final TemplateModel TRANSFORMER = new TemplateModel(false, false, false, false, false);

    static final TemplateModel WITH_BOTH = new TemplateModel(false, false, true, true, false);

    static final TemplateModel PERCEPTRON = new TemplateModel(true, false, false, false, false);

    static final TemplateModel WITH_INCIDENCE = new TemplateModel(true, true, false, false, false);

    static TemplateModel of(CellRecord run) {
        Map<String, String> settings = run.settings();
        boolean identities = "true".equals(settings.get("model.attention.identities"));
        boolean keyQuery = identities;
        boolean valueOutput = identities;
        boolean ownRate = false;
        for (int i = 0; settings.containsKey("optimizer.groups." + i + ".match"); i++) {
            String group = "optimizer.groups." + i + ".";
            boolean frozen = "true".equals(settings.get(group + "frozen"));
            String match = settings.getOrDefault(group + "match", "");
            keyQuery &= !(frozen && match.contains("key_query"));
            valueOutput &= !(frozen && match.contains("value_output"));
            ownRate |= !frozen && settings.containsKey(group + "learning-rate");
        }
        return new TemplateModel(
                "mlp".equals(settings.get("model.kind")),
                "true".equals(settings.get("model.incidence")),
                keyQuery,
                valueOutput,
                ownRate);
    }

    /** The same with a rate of their own for a and b. */
    TemplateModel atOwnRate() {
        return new TemplateModel(perceptron, incidence, keyQuery, valueOutput, true);
    }

    /** The runs of this model. */
    TemplateRuns of(TemplateRuns runs) {
        return runs.with(run -> of(run).equals(this));
    }

    /** The runs of each model, by its name. */
    static SortedMap<String, TemplateRuns> lines(TemplateRuns runs) {
        var lines = new TreeMap<String, TemplateRuns>();
        runs.records().stream()
                .map(TemplateModel::of)
                .distinct()
                .forEach(model -> lines.put(model.toString(), model.of(runs)));
        return lines;
    }

    @Override
    public String toString() {
        if (perceptron) {
            return incidence ? "MLP with X X^T" : "MLP";
        }
        if (!keyQuery && !valueOutput) {
            return "transformer";
        }
        return "transformer with "
                + (keyQuery && valueOutput ? "a I and b I" : keyQuery ? "a I" : "b I")
                + (ownRate ? " at their own rate" : "");
    }
}
