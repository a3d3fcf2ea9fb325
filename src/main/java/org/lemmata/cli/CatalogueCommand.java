package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Claim;
import org.lemmata.claim.Claims;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.construct.Constructions;
import org.lemmata.file.Json;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Setting;
import org.lemmata.task.Tasks;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

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

    @Command(
            name = "claims",
            description = "List the claims, with their sources and sizes.",
            footer = {"  lemmata claims depth", "  lemmata claims parity.theorem-7 --json"})
    static final class OfClaims extends JsonCommand {

        @Parameters(
                arity = "0..*",
                paramLabel = "CLAIM",
                description =
                        "Claim ids or their first parts, such as depth or depth.theorem-4.1 (default: all claims).")
        private List<String> words = new ArrayList<>();

        @Override
        public Integer call() throws IOException {
            List<Claim> claims = Claims.select(words);
            Map<FigureGrid, Map<String, Integer>> cells = isJson() ? cells(claims) : Map.of();
            List<Map<String, Object>> objects = new ArrayList<>();
            for (Claim claim : claims) {
                Map<String, Object> object = json(claim);
                if (claim instanceof FigureClaim figure) {
                    object.put("sweep", figure.grid().id());
                    object.put("cells", cells.getOrDefault(figure.grid(), Map.of()));
                }
                objects.add(object);
                if (!isJson()) {
                    print(claim);
                }
            }
            if (!isJson()) {
                claims.stream()
                        .map(claim -> claim.statement().source().paper())
                        .distinct()
                        .filter(paper -> !paper.notation().isEmpty())
                        .forEach(paper -> out().println("Notation of " + paper.authors() + ". " + paper.notation()));
            }
            printJson(objects);
            return ExitCode.CLEAN;
        }

        private void print(Claim claim) {
            PrintWriter out = out();
            out.println(claim.id() + mark(Claims.plugin(claim)) + ": "
                    + claim.statement().text());
            out.println("    " + claim.statement().source().citation() + " ("
                    + claim.statement().form().label() + "): " + claim.paper());
            out.println("    quick: " + claim.range(Budget.QUICK));
            if (claim instanceof ComputedClaim) {
                CatalogueCommand.print(out, settings(claim));
                if (settings(claim).isEmpty()) {
                    out.println("    nothing to set");
                }
            }
            if (claim instanceof FigureClaim figure) {
                out.println("    sweep: " + figure.grid().id());
            }
        }

        /** The number of cells per grid and budget. Grids are read in parallel, because reading takes long. */
        private static Map<FigureGrid, Map<String, Integer>> cells(List<Claim> claims) {
            return claims.stream()
                    .filter(FigureClaim.class::isInstance)
                    .map(claim -> ((FigureClaim) claim).grid())
                    .distinct()
                    .parallel()
                    .collect(Collectors.toMap(Function.identity(), OfClaims::cells));
        }

        private static Map<String, Integer> cells(FigureGrid grid) {
            var cells = new LinkedHashMap<String, Integer>();
            for (Budget budget : grid.sizes().reversed()) {
                try {
                    cells.put(budget.label(), grid.sweep(budget).cells().size());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return cells;
        }

        private static Map<String, Object> json(Claim claim) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("id", claim.id());
            json.put("statement", claim.statement().text());
            json.put("source", claim.statement().source().citation());
            json.put("form", claim.statement().form().label());
            json.put("paper", claim.paper());
            json.put("range", claim.range(Budget.QUICK));
            json.put(
                    "budgets",
                    claim.budgets().stream()
                            .collect(Collectors.toMap(Budget::label, claim::range, (a, b) -> a, LinkedHashMap::new)));
            if (claim instanceof ComputedClaim) {
                json.put("settings", CatalogueCommand.json(settings(claim)));
            }
            putPlugin(json, Claims.plugin(claim));
            return json;
        }

        private static List<Setting> settings(Claim claim) {
            return claim instanceof ComputedClaim computed ? computed.settings() : List.of();
        }
    }
}
