package org.lemmata.cli.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.lemmata.construct.Construction;
import org.lemmata.construct.Constructions;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.task.length.LengthRange;
import org.lemmata.task.length.LinkFunction;
import org.lemmata.task.length.ModPTask;
import org.lemmata.task.length.SimpleTask;

/** The constructions as {@code run} knows them: their own settings, and those of reading and answering. */
public final class Runs {

    /** How strings are read and answered: settings beside the construction's own, and what they make of it. */
    private record Answering(List<Setting> settings, Factory factory) {}

    @FunctionalInterface
    private interface Factory {
        Run of(Construction construction, Settings settings);
    }

    private static final List<Setting> DECODING = List.of(
            new Setting("sample", "false", "whether tokens are drawn, or the likelier one is taken"),
            new Setting("seed", "1", "seed of the draws"));

    private static final Answering COMPLETION = new Answering(
            DECODING,
            (construction, settings) ->
                    new DyckCompletionRun(construction, settings.flag("sample"), settings.seed("seed")));

    private static final Answering COMPLETION_OF_TYPES = new Answering(DECODING, TokenCompletionRun::ofTypedBrackets);

    private static final Answering MEMORIZATION = new Answering(DECODING, TokenCompletionRun::ofSequence);

    private static final Answering SIMPLE_TASK = new Answering(
            List.of(),
            (construction, settings) -> new RegressionRun(
                    construction,
                    new SimpleTask(new LinkFunction.Sine(settings.requiredReal("omega")), new LengthRange(1, 1))));

    private static final Answering MOD_P_TASK = new Answering(List.of(), (construction, settings) -> {
        // The construction has checked both.
        int period = settings.requiredInteger("period", 1, LengthRange.MAX_LENGTH);
        int index = settings.requiredInteger("index", 0, period - 1);
        return new RegressionRun(construction, new ModPTask(period, index, new LengthRange(period, period)));
    });

    /** A construction without an entry here fails at start, not in a user's run. */
    private static final Map<String, Answering> ANSWERING = Map.of(
            "dyck-completion",
            COMPLETION,
            "dyck-completion-without-positions",
            COMPLETION,
            "dyck-completion-of-types",
            COMPLETION_OF_TYPES,
            "sequence-memorization",
            MEMORIZATION,
            "sequence-memorization-by-projection",
            MEMORIZATION,
            "simple-task",
            SIMPLE_TASK,
            "mod-p-task",
            MOD_P_TASK);

    public static final Catalogue<Run> CATALOGUE = new Catalogue<>(
            Constructions.CATALOGUE.kind(),
            Constructions.CATALOGUE.entries().stream().map(Runs::entry).toList());

    private Runs() {}

    private static Catalogue.Entry<Run> entry(Catalogue.Entry<Construction> entry) {
        Answering answering = ANSWERING.get(entry.name());
        if (answering == null) {
            throw new IllegalStateException("run: expected how to answer for the construction " + entry.name());
        }
        List<Setting> settings = new ArrayList<>(entry.settings());
        settings.addAll(answering.settings());
        return new Catalogue.Entry<>(
                entry.name(),
                entry.description(),
                entry.source(),
                settings,
                given -> answering.factory().of(entry.factory().apply(given), given));
    }
}
