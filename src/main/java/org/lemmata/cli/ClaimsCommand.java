package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.lemmata.claim.AdjustableClaim;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Claim;
import org.lemmata.claim.Claims;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.file.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the claims with what is tested of them. */
@Command(name = "claims", description = "Lists the claims with what is tested of them.")
final class ClaimsCommand extends OutputCommand {

    @Option(names = "--json", description = "Print a JSON array.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        var grids = new HashMap<FigureGrid, Map<String, Integer>>();
        List<Map<String, Object>> objects = new ArrayList<>();
        for (Claim claim : Claims.all()) {
            Map<String, Object> object = json(claim);
            if (claim instanceof FigureClaim figure) {
                FigureGrid grid = figure.grid();
                object.put("sweep", grid.id());
                if (json) {
                    // Which takes some seconds: every cell of every grid is read.
                    if (!grids.containsKey(grid)) {
                        grids.put(grid, cells(grid));
                    }
                    object.put("cells", grids.getOrDefault(grid, Map.of()));
                }
            }
            objects.add(object);
            if (!json) {
                print(out(), claim, object);
            }
        }
        if (json) {
            out().println(Json.indented(objects));
        }
        return ExitCode.CLEAN;
    }

    private static void print(PrintWriter out, Claim claim, Map<String, Object> object) {
        out.println(claim.id() + ": " + claim.statement().text());
        out.println("    " + claim.statement().source().citation() + " ("
                + claim.statement().form().label() + "): " + claim.paper());
        out.println("    quick: " + claim.range(Budget.QUICK));
        if (claim instanceof AdjustableClaim adjustable) {
            CatalogueCommand.print(out, adjustable.settings());
        }
        if (object.containsKey("sweep")) {
            out.println("    sweep: " + object.get("sweep"));
        }
    }

    /** Budget to how many cells of a figure it computes. */
    private static Map<String, Integer> cells(FigureGrid grid) throws IOException {
        var cells = new LinkedHashMap<String, Integer>();
        for (Budget budget : grid.sizes().reversed()) {
            cells.put(budget.label(), grid.sweep(budget).cells().size());
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
        json.put("budgets", budgets(claim));
        if (claim instanceof AdjustableClaim adjustable) {
            json.put("settings", CatalogueCommand.json(adjustable.settings()));
        }
        return json;
    }

    /** Budget to what it tests. */
    private static Map<String, String> budgets(Claim claim) {
        return claim.budgets().stream()
                .collect(Collectors.toMap(Budget::label, claim::range, (a, b) -> a, LinkedHashMap::new));
    }
}
