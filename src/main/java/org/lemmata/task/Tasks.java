package org.lemmata.task;

import java.util.List;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.task.depth.DyckWords;

/** The one list of tasks. */
public final class Tasks {

    public static final Catalogue<Task> CATALOGUE = new Catalogue<>(
            "task",
            List.of(new Catalogue.Entry<>(
                    DyckWords.NAME,
                    "balanced words of N pairs of one bracket type, uniform among those with a depth in a window",
                    DyckWords.SOURCE,
                    List.of(
                            new Setting("N", "16", "pairs of brackets in a word, 1 to " + DyckWords.MAX_PAIRS),
                            new Setting("minDepth", "1", "least depth of a word"),
                            new Setting("maxDepth", "", "greatest depth of a word; N by default")),
                    Tasks::dyckWords)));

    private Tasks() {}

    private static DyckWords dyckWords(Settings settings) {
        int pairs = settings.requiredInteger("N", 1, DyckWords.MAX_PAIRS);
        return new DyckWords(
                pairs,
                settings.requiredInteger("minDepth", 1, pairs),
                settings.integer("maxDepth", 1, pairs).orElse(pairs));
    }
}
