package org.lemmata.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.lemmata.file.Json;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists a catalogue as text or as JSON. */
abstract class CatalogueCommand implements Runnable {

    @Option(names = "--json", description = "Print a JSON array.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    private final Catalogue<?> catalogue;

    CatalogueCommand(Catalogue<?> catalogue) {
        this.catalogue = catalogue;
    }

    @Override
    public final void run() {
        if (json) {
            print(Json.indented(
                    catalogue.entries().stream().map(CatalogueCommand::json).toList()));
            return;
        }
        for (Catalogue.Entry<?> entry : catalogue.entries()) {
            print(entry.name() + ": " + entry.description());
            print("    " + entry.source().citation());
            for (Setting setting : entry.settings()) {
                String assignment =
                        setting.fallback().isEmpty() ? setting.name() : setting.name() + "=" + setting.fallback();
                print("    -p %-14s %s".formatted(assignment, setting.meaning()));
            }
        }
    }

    private void print(String line) {
        spec.commandLine().getOut().println(line);
    }

    private static Map<String, Object> json(Catalogue.Entry<?> entry) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", entry.name());
        json.put("description", entry.description());
        json.put("source", entry.source().citation());
        json.put(
                "settings",
                entry.settings().stream()
                        .map(setting -> Map.of(
                                "name", setting.name(), "default", setting.fallback(), "meaning", setting.meaning()))
                        .toList());
        return json;
    }
}
