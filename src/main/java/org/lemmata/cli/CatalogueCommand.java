package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.construct.Constructions;
import org.lemmata.file.Json;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.task.Tasks;
import picocli.CommandLine.Command;

/** Lists a catalogue as text or as JSON. */
abstract class CatalogueCommand extends JsonCommand {

    @Command(
            name = "tasks",
            description = "List the tasks and their settings.",
            footer = {"  lemmata tasks", "  lemmata help dyck-words"})
    static final class OfTasks extends CatalogueCommand {

        OfTasks() {
            super(() -> Tasks.CATALOGUE);
        }
    }

    @Command(
            name = "constructions",
            description = "List the constructions and their settings.",
            footer = {"  lemmata constructions", "  lemmata help dyck-completion"})
    static final class OfConstructions extends CatalogueCommand {

        OfConstructions() {
            super(() -> Constructions.CATALOGUE);
        }
    }

    /** Created on demand, because {@code help} creates all commands. */
    private final Supplier<Catalogue<?>> catalogue;

    CatalogueCommand(Supplier<Catalogue<?>> catalogue) {
        this.catalogue = catalogue;
    }

    @Override
    public final Integer call() throws IOException {
        Catalogue<?> all = catalogue.get();
        printJson(
                all.entries().stream().map(entry -> json(all, entry)).toList(),
                () -> all.entries().forEach(entry -> print(out(), all, entry)));
        return ExitCode.CLEAN;
    }

    /** The mark after the name of a plugin's entry, with the name of the plugin's jar; empty for "". */
    static String mark(String plugin) {
        return plugin.isEmpty() ? "" : " [" + plugin + "]";
    }

    static void print(PrintWriter out, Catalogue<?> catalogue, Catalogue.Entry<?> entry) {
        out.println(entry.name() + mark(catalogue.plugin(entry)) + ": " + entry.description());
        out.println("    " + entry.source().citation());
        print(out, entry.settings());
    }

    private static Map<String, Object> json(Catalogue<?> catalogue, Catalogue.Entry<?> entry) {
        Map<String, Object> json = Json.object(
                "name", entry.name(),
                "description", entry.description(),
                "source", entry.source().citation(),
                "settings", json(entry.settings()));
        putPlugin(json, catalogue.plugin(entry));
        return json;
    }

    static void putPlugin(Map<String, Object> json, String plugin) {
        if (!plugin.isEmpty()) {
            json.put("plugin", plugin);
        }
    }

    static void print(PrintWriter out, List<Setting> settings) {
        for (Setting setting : settings) {
            String assignment =
                    setting.fallback().isEmpty() ? setting.name() : setting.name() + "=" + setting.fallback();
            String range = range(setting);
            out.printf("    -p %-14s %s%s%n", assignment, range.isEmpty() ? "" : range + ": ", setting.meaning());
        }
    }

    private static String range(Setting setting) {
        return setting.numbers() == null
                ? ""
                : setting.numbers().text()
                        + (setting.stated() == null
                                ? ""
                                : ", stated for " + setting.stated().text());
    }

    static List<Map<String, Object>> json(List<Setting> settings) {
        return settings.stream()
                .map(setting -> Json.object(
                        "name", setting.name(),
                        "default", setting.fallback(),
                        "range", range(setting),
                        "meaning", setting.meaning()))
                .toList();
    }
}
