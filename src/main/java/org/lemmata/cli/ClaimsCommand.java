package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Claim;
import org.lemmata.claim.Claims;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.setting.Setting;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "claims",
        description = "List the claims, with their sources and sizes.",
        footer = {"  lemmata claims depth", "  lemmata claims parity.theorem-7 --json"})
final class ClaimsCommand extends JsonCommand {

    @Parameters(
            arity = "0..*",
            paramLabel = "CLAIM",
            description = "Claim ids or their first parts, such as depth or depth.theorem-4.1 (default: all claims).")
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
        out.println(claim.id() + CatalogueCommand.mark(Claims.plugin(claim)) + ": "
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
                .collect(Collectors.toMap(Function.identity(), ClaimsCommand::cells));
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
        CatalogueCommand.putPlugin(json, Claims.plugin(claim));
        return json;
    }

    private static List<Setting> settings(Claim claim) {
        return claim instanceof ComputedClaim computed ? computed.settings() : List.of();
    }
}
