package org.lemmata.cli.text;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.lemmata.setting.Setting;

/** The settings of what a catalogue lists. */
public final class SettingsText {

    private SettingsText() {}

    /** A line a setting, as it is given on the command line. */
    public static void print(PrintWriter out, List<Setting> settings) {
        for (Setting setting : settings) {
            String assignment =
                    setting.fallback().isEmpty() ? setting.name() : setting.name() + "=" + setting.fallback();
            out.printf("    -p %-14s %s%n", assignment, setting.meaning());
        }
    }

    /** An object a setting, with its name, default and meaning. */
    public static List<Map<String, String>> json(List<Setting> settings) {
        return settings.stream()
                .map(setting ->
                        Map.of("name", setting.name(), "default", setting.fallback(), "meaning", setting.meaning()))
                .toList();
    }
}
