package org.lemmata.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.lemmata.cli.text.SettingsText;
import org.lemmata.file.Json;
import org.lemmata.setting.Catalogue;
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
            SettingsText.print(spec.commandLine().getOut(), entry.settings());
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
        json.put("settings", SettingsText.json(entry.settings()));
        return json;
    }
}
