package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.Budget;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.Computation;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureEvidence;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureRun;
import org.lemmata.claim.Recomputation;
import org.lemmata.cli.terminal.Interruption;
import org.lemmata.cli.terminal.StandardError;
import org.lemmata.cli.terminal.SweepProgress;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepRun;
import org.lemmata.track.Evidence;
import org.lemmata.track.RunRecord;

/**
 * What {@code verify} does with figures: the quick budget recomputes a random cell of each paper and judges from
 * evidence, the others run all cells first.
 */
final class FigureVerification {

    /** As {@link RunRecord} has them. */
    private static final String UNKNOWN = "unknown";

    private static final String DIRTY = "-dirty";

    private final Budget budget;
    private final FigureEvidence evidence;
    private final @Nullable Path work;
    private final @Nullable String chosenCell;
    private final Map<String, String> environment;
    private final PrintWriter out;
    private final PrintWriter err;

    private final Map<FigureGrid, Recomputation> mismatches = new HashMap<>();
    private final Set<String> recomputedPapers = new HashSet<>();
    private boolean interrupted;

    /**
     * @param claims the figures among the claims that are verified
     * @param work where cells are computed; null for the usual place
     * @param chosenCell the cell to recompute; null for a random one of each paper
     */
    FigureVerification(
            Budget budget,
            List<FigureClaim> claims,
            Evidence evidence,
            @Nullable Path work,
            @Nullable String chosenCell,
            Map<String, String> environment,
            PrintWriter out,
            PrintWriter err) {
        this.budget = budget;
        this.evidence = new FigureEvidence(budget, claims, evidence);
        this.work = work;
        this.chosenCell = chosenCell;
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    /**
     * Refuses options without effect, before anything is run.
     *
     * @throws IllegalArgumentException if there is one
     */
    void requireOptions() throws IOException {
        if (work != null && budget == Budget.QUICK) {
            throw new IllegalArgumentException("--work: expected --budget standard or full beside it, got quick");
        }
        if (chosenCell == null) {
            return;
        }
        if (budget != Budget.QUICK) {
            throw new IllegalArgumentException("--cell: expected --budget quick beside it, got " + budget.label());
        }
        if (evidence.has(chosenCell)) {
            return;
        }
        throw new IllegalArgumentException(
                "--cell: expected a cell of the chosen figures that is in the evidence, got '" + chosenCell + "'");
    }

    /** Whether a recomputed cell was not as the evidence has it. */
    boolean hasMismatch() {
        return !mismatches.isEmpty();
    }

    /** Whether a figure was judged: from all of its cells, and none contrary to what was computed again. */
    boolean isJudged(FigureClaim claim) throws IOException {
        return evidence.cells(claim.grid()).isComplete() && !mismatches.containsKey(claim.grid());
    }

    /** The result of one figure; null if it was interrupted on the way there. */
    @Nullable
    ClaimResult verify(FigureClaim claim, Computation computation) throws IOException {
        FigureGrid grid = claim.grid();
        if (!computation.isRounded()) {
            if (budget == Budget.QUICK) {
                recompute(grid.paper());
            } else if (!evidence.isRead(grid)) {
                run(grid);
            }
            if (interrupted) {
                return null;
            }
        }
        ClaimResult result =
                ClaimResult.of(claim, budget, computation, environment, evidence.cells(grid), evidence.missing(grid));
        Recomputation mismatch = mismatches.get(grid);
        return mismatch == null ? result : result.undecided("the evidence is not reproduced: " + mismatch.describe());
    }

    /** Runs one cell of a paper again, once for all its figures. */
    private void recompute(String paper) throws IOException {
        if (!recomputedPapers.add(paper)) {
            return;
        }
        FigureEvidence.Choice choice = evidence.choose(paper, chosenCell).orElse(null);
        if (choice != null && chosenCell == null && choice.isDear()) {
            out.printf(
                    Locale.ROOT,
                    "Not recomputed %s: the cheapest cell took %.0f s; --cell %s computes it%n",
                    choice.grid().id(),
                    choice.seconds(),
                    choice.record().cell());
            out.flush();
        } else if (choice != null) {
            recompute(choice);
        }
    }

    private void recompute(FigureEvidence.Choice choice) throws IOException {
        FigureGrid grid = choice.grid();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(FigureEvidence.PATIENCE_SECONDS);
        long start = System.nanoTime();
        Recomputation recomputation;
        try (var interruption = new Interruption()) {
            interruption.listen();
            // A cell that someone named may take its time.
            BooleanSupplier stop =
                    () -> interruption.isRequested() || (chosenCell == null && System.nanoTime() - deadline > 0);
            recomputation = choice.recompute(stop);
            interrupted = interruption.isRequested();
        }
        if (interrupted) {
            err.println("verify: stopped");
            return;
        }
        boolean agrees = recomputation.mismatches().isEmpty();
        out.printf(
                Locale.ROOT,
                "%-13s%s (%.1f s): %s%n",
                recomputation.now() == null ? "Unfinished" : agrees ? "Recomputed" : "Mismatch",
                grid.id(),
                (System.nanoTime() - start) * 1e-9,
                recomputation.describe()
                        + (agrees
                                ? ""
                                : "; if the kernels were meant to change: lemmata verify " + grid.id() + " --budget "
                                        + choice.cells().sizes().label()));
        out.flush();
        if (!agrees) {
            mismatches.put(grid, recomputation);
        }
    }

    private void run(FigureGrid grid) throws IOException {
        // Before the first cell: a place that cannot be written must not cost hours.
        Path file = evidence.evidence().file(grid.paper()).toAbsolutePath();
        OutDirectory.requireWritable("--evidence", file, file.resolveSibling(""));
        Sweep sweep = grid.sweep(budget);
        var run = new FigureRun(grid, sweep, directory(grid));
        SweepRun.Progress end;
        try (var interruption = new Interruption();
                var progress = new SweepProgress(err, sweep, StandardError.isTerminal())) {
            interruption.listen();
            end = run.run(evidence.evidence(), interruption::isRequested, progress);
            interrupted = interruption.isRequested() && !FigureRun.hasEnded(end);
        }
        if (interrupted) {
            err.println("verify: stopped after " + end.done() + " of " + end.cells() + " cells of " + grid.id()
                    + (work != null || isOfOneCode(environment)
                            ? "; the same command goes on"
                            : "; the code is of no commit, so that the same command begins anew"));
        } else if (work == null && end.isComplete()) {
            run.discard();
        }
    }

    private Path directory(FigureGrid grid) {
        String name = grid.id() + "-" + budget.label();
        return work != null ? work.resolve(name) : usualPlace(name, environment);
    }

    /**
     * Below the target directory of the checkout that the running code lies in; else of this directory. The commit is
     * in its name, so that cells of another one are not taken up; beside code that is of no commit, so is the time,
     * since nothing tells whether the code is the same the next time.
     */
    static Path usualPlace(String name, Map<String, String> environment) {
        String commit = environment.getOrDefault("commit", UNKNOWN);
        String time = isOfOneCode(environment)
                ? ""
                : "-"
                        + environment
                                .getOrDefault("time", Instant.now().toString())
                                .replace(":", "");
        return RunRecord.checkout()
                .orElse(Path.of(""))
                .resolve("target")
                .resolve("sweeps")
                .resolve(name + "-" + commit + time);
    }

    /** Whether the commit says which code it is. */
    private static boolean isOfOneCode(Map<String, String> environment) {
        String commit = environment.getOrDefault("commit", UNKNOWN);
        return !commit.equals(UNKNOWN) && !commit.endsWith(DIRTY);
    }
}
