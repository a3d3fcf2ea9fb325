package org.lemmata.task.hierarchy;

import java.util.List;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;
import org.lemmata.task.Task;
import org.lemmata.task.TaskProvider;

/** The tasks of Hayakawa and Sato (2024). */
public final class HierarchyTasks implements TaskProvider {

    /** The maximum length of strings in the recognition task. */
    private static final int MAX_WORD = 1 << 9;

    private static final String LENGTHS = """
        maxLength | 700 | n_max, after which a word is cut off, 2 to %s; <bos> does not count
        start | true | whether a sequence begins with <bos>
        """.formatted(GenerationTask.MAX_LENGTH);

    /** This setting has no default, because older records lack it. */
    private static final String WHOLE = """
        whole | | whether words are drawn given that they end within n_max tokens, at most %s, so that none is cut off;
          false by default
        """.formatted(EndingInTime.MAX_LENGTH);

    @Override
    public List<Catalogue.Entry<Task>> entries() {
        return List.of(
                new Catalogue.Entry<>(
                        GenerationTask.DYCK,
                        "next tokens of words of k bracket types that close the last one opened",
                        GenerationTask.source(BracketLanguage.DYCK),
                        Setting.table(table(BracketLanguage.DYCK, "8", "0.5", "0.9") + LENGTHS + WHOLE),
                        settings -> task(BracketLanguage.DYCK, settings)),
                new Catalogue.Entry<>(
                        GenerationTask.SHUFFLE_DYCK,
                        "next tokens of words of k bracket types, each balanced for itself",
                        GenerationTask.source(BracketLanguage.SHUFFLE_DYCK),
                        Setting.table(table(BracketLanguage.SHUFFLE_DYCK, "8", "0.3", "0.97") + LENGTHS),
                        settings -> task(BracketLanguage.SHUFFLE_DYCK, settings)),
                new Catalogue.Entry<>(
                        RecognitionTask.NAME,
                        "1 after a word of k bracket types that close the last one opened, -1 after a near miss",
                        RecognitionTask.SOURCE,
                        Setting.table("""
                            k | 2 | number of bracket types, 1 to %s
                            maxLength | 32 | N: even lengths from 2 to it, 2 to %s
                            """.formatted(BracketTokens.MAX_TYPES, MAX_WORD)),
                        settings -> new RecognitionTask(
                                new BracketTokens(settings.requiredInteger("k", 1, BracketTokens.MAX_TYPES)),
                                1,
                                settings.requiredInteger("maxLength", 2, MAX_WORD) / 2)));
    }

    /** The settings of a process as a table, with these defaults of k, q and r. */
    public static String table(BracketLanguage language, String types, String q, String r) {
        String closing = "piBar | | probabilities of the types that close, such as 0.2,0.8; uniform by default\n";
        return """
            k | %s | number of bracket types, 1 to %s
            q | %s | probability of an opening bracket at depth 1 or more
            r | %s | probability of an opening bracket at depth 0
            pi | | probabilities of the types that open, such as 0.2,0.8; uniform by default
            """.formatted(types, BracketTokens.MAX_TYPES, q, r) + (language == BracketLanguage.DYCK ? "" : closing);
    }

    /** The process for the settings of {@link #table}. */
    public static GenerationProcess process(BracketLanguage language, Settings settings) {
        var tokens = new BracketTokens(settings.requiredInteger("k", 1, BracketTokens.MAX_TYPES));
        return new GenerationProcess(
                language,
                tokens,
                settings.requiredReal("q"),
                settings.requiredReal("r"),
                shares("pi", settings, tokens),
                language == BracketLanguage.DYCK
                        ? GenerationProcess.uniform(tokens.types())
                        : shares("piBar", settings, tokens));
    }

    private static List<Double> shares(String name, Settings settings, BracketTokens tokens) {
        return settings.text(name).isPresent() ? settings.reals(name) : GenerationProcess.uniform(tokens.types());
    }

    private static Task task(BracketLanguage language, Settings settings) {
        return new GenerationTask(
                process(language, settings),
                settings.requiredInteger("maxLength", 2, GenerationTask.MAX_LENGTH),
                settings.flag("start"),
                language == BracketLanguage.DYCK && settings.text("whole").isPresent() && settings.flag("whole"));
    }
}
