package org.lemmata.cli;

import java.util.ArrayList;
import java.util.List;
import org.lemmata.construct.Construction;
import org.lemmata.construct.Constructions;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;

/** The constructions as {@code run} knows them: their own settings, and those of reading and answering. */
final class Runs {

    static final Catalogue<Run> CATALOGUE = new Catalogue<>(
            Constructions.CATALOGUE.kind(),
            Constructions.CATALOGUE.entries().stream().map(Runs::completion).toList());

    private Runs() {}

    private static Catalogue.Entry<Run> completion(Catalogue.Entry<Construction> entry) {
        List<Setting> settings = new ArrayList<>(entry.settings());
        settings.add(new Setting("sample", "false", "whether tokens are drawn, or the likelier one is taken"));
        settings.add(new Setting("seed", "1", "seed of the draws"));
        return new Catalogue.Entry<>(
                entry.name(), entry.description(), entry.source(), settings, given -> completion(entry, given));
    }

    private static Run completion(Catalogue.Entry<Construction> entry, Settings given) {
        return new DyckCompletionRun(entry.factory().apply(given), given.flag("sample"), given.seed("seed"));
    }
}
