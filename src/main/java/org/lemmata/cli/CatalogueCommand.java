package org.lemmata.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.cli.text.SettingsText;
import org.lemmata.construct.Constructions;
import org.lemmata.file.Json;
import org.lemmata.setting.Catalogue;
import org.lemmata.task.Tasks;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists a catalogue as text or as JSON. */
abstract class CatalogueCommand extends OutputCommand {

    /** Lists the tasks with their settings. */
    @Command(name = "tasks", description = "Lists the tasks with their settings.")
    static final class OfTasks extends CatalogueCommand {

        OfTasks() {
            super(Tasks.CATALOGUE);
        }
    }

    /** Lists the constructions with their settings. */
    @Command(name = "constructions", description = "Lists the constructions with their settings.")
    static final class OfConstructions extends CatalogueCommand {

        OfConstructions() {
            super(Constructions.CATALOGUE);
        }
    }

    @Option(names = "--json", description = "Print a JSON array.")
    private boolean json;

    private final Catalogue<?> catalogue;

    CatalogueCommand(Catalogue<?> catalogue) {
        this.catalogue = catalogue;
    }

    @Override
    public final Integer call() {
        if (json) {
            out().println(Json.indented(
                    catalogue.entries().stream().map(CatalogueCommand::json).toList()));
            return ExitCode.CLEAN;
        }
        for (Catalogue.Entry<?> entry : catalogue.entries()) {
            out().println(entry.name() + ": " + entry.description());
            out().println("    " + entry.source().citation());
            SettingsText.print(out(), entry.settings());
        }
        return ExitCode.CLEAN;
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
