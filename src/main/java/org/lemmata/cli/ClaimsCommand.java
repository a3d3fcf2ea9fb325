package org.lemmata.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Claim;
import org.lemmata.claim.Claims;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the claims with what is tested of them. */
@Command(name = "claims", description = "Lists the claims with what is tested of them.")
final class ClaimsCommand implements Runnable {

    @Option(names = "--json", description = "Print a JSON array.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(
                    Json.indented(Claims.all().stream().map(ClaimsCommand::json).toList()));
            return;
        }
        for (Claim claim : Claims.all()) {
            out.println(claim.id() + ": " + claim.statement());
            out.println("    " + claim.source().citation() + " (" + claim.form().label() + ")");
            out.println("    quick: " + claim.range(Budget.QUICK));
        }
    }

    private static Map<String, Object> json(Claim claim) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", claim.id());
        json.put("statement", claim.statement());
        json.put("source", claim.source().citation());
        json.put("form", claim.form().label());
        json.put("range", claim.range(Budget.QUICK));
        json.put("budgets", budgets(claim));
        return json;
    }

    /** Budget to what it tests. */
    private static Map<String, String> budgets(Claim claim) {
        return claim.budgets().stream()
                .collect(Collectors.toMap(Budget::label, claim::range, (a, b) -> a, LinkedHashMap::new));
    }
}
