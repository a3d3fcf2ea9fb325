package org.lemmata.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;

/** A catalogue as text and as JSON. */
final class CatalogueText {

    private CatalogueText() {}

    static void print(PrintWriter out, List<? extends Catalogue.Entry<?>> entries) {
        for (Catalogue.Entry<?> entry : entries) {
            out.println(entry.name() + ": " + entry.description());
            out.println("    " + entry.source().citation());
            printSettings(out, entry.settings());
        }
    }

    /** A line a setting. */
    static void printSettings(PrintWriter out, List<Setting> settings) {
        for (Setting setting : settings) {
            String assignment =
                    setting.fallback().isEmpty() ? setting.name() : setting.name() + "=" + setting.fallback();
            out.printf("    -p %-14s %s%n", assignment, setting.meaning());
        }
    }

    static List<Map<String, Object>> json(List<? extends Catalogue.Entry<?>> entries) {
        return entries.stream().map(CatalogueText::json).toList();
    }

    private static Map<String, Object> json(Catalogue.Entry<?> entry) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", entry.name());
        json.put("description", entry.description());
        json.put("source", entry.source().citation());
        json.put("settings", settings(entry.settings()));
        return json;
    }

    static List<Map<String, String>> settings(List<Setting> settings) {
        return settings.stream()
                .map(setting ->
                        Map.of("name", setting.name(), "default", setting.fallback(), "meaning", setting.meaning()))
                .toList();
    }
}
