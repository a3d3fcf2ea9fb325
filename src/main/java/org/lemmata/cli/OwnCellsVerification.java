package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lemmata.claim.Budget;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.Computation;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.OwnCells;
import org.lemmata.cli.text.ExitCode;

/**
 * What {@code verify --cells} does.
 *
 * @param claims the figures to judge
 * @param directory the user's cells, as {@code lemmata sweep} leaves them
 */
record OwnCellsVerification(List<FigureClaim> claims, Path directory, VerdictOutput output, PrintWriter err) {

    /** Judges figures from a user's cells; sentences whose cells are not there are named. */
    int run(Computation computation, Map<String, String> environment) throws IOException {
        var cells = new HashMap<FigureGrid, List<OwnCells>>();
        var results = new ArrayList<ClaimResult>();
        var refusals = new ArrayList<String>();
        for (FigureClaim claim : claims) {
            if (!cells.containsKey(claim.grid())) {
                cells.put(claim.grid(), OwnCells.of(claim.grid(), directory));
            }
            for (OwnCells own : cells.getOrDefault(claim.grid(), List.of())) {
                try {
                    ClaimResult result = ClaimResult.of(claim, own, directory, computation, environment);
                    output.print(result);
                    results.add(result);
                } catch (IllegalArgumentException e) {
                    refusals.add(String.valueOf(e.getMessage()));
                }
            }
        }
        if (results.isEmpty()) {
            throw new IllegalArgumentException(refusals.getFirst());
        }
        refusals.forEach(refusal -> err.println("verify: " + refusal));
        output.write(results, Budget.QUICK);
        return ExitCode.CLEAN;
    }
}
