package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.bench.CommitBuilds;
import org.lemmata.claim.Budget;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.Computation;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.evidence.Campaign;
import org.lemmata.claim.evidence.Campaign.FigureRun;
import org.lemmata.claim.evidence.FigureEvidence;
import org.lemmata.claim.evidence.Recomputation;
import org.lemmata.cli.terminal.TerminalProgress.SweepProgress;
import org.lemmata.setting.Plugin;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepRun;
import org.lemmata.track.CellRecord;
import org.lemmata.track.Evidence;
import org.lemmata.track.RunRecord;

/**
 * Verifies figures. The quick budget recomputes a random cell of each paper and the first steps of a longer cell, and
 * judges figures from the recorded evidence. Larger budgets first run all cells.
 */
final class FigureVerification {

    private static final String UNKNOWN = "unknown";

    private static final String DIRTY = "-dirty";

    private final Budget budget;
    private final FigureEvidence evidence;
    private final @Nullable Path work;
    private final @Nullable String chosenCell;
    private final Map<String, String> environment;
    private final PrintWriter out;
    private final PrintWriter err;
    private final BooleanSupplier stop;

    private final Map<FigureGrid, Recomputation> mismatches = new HashMap<>();
    private final Set<String> recomputedPapers = new HashSet<>();
    private String howToGoOn = "; if you repeat the command, it starts again";

    /**
     * @param work the directory in which cells are computed; null for the default
     * @param chosenCell the cell to recompute; null for a random one of each paper
     * @param stop whether to stop at the next point at which no work is lost
     */
    FigureVerification(
            Budget budget,
            List<FigureClaim> claims,
            Evidence evidence,
            @Nullable Path work,
            @Nullable String chosenCell,
            Map<String, String> environment,
            PrintWriter out,
            PrintWriter err,
            BooleanSupplier stop) {
        this.budget = budget;
        this.evidence = new FigureEvidence(budget, claims, evidence);
        this.work = work;
        this.chosenCell = chosenCell;
        this.environment = environment;
        this.out = out;
        this.err = err;
        this.stop = stop;
    }

    /**
     * Rejects options without effect before anything runs.
     *
     * @throws IllegalArgumentException if there is one
     */
    void requireOptions() throws IOException {
        boolean isQuick = budget == Budget.QUICK;
        Refuse.when(work != null && isQuick, "--work", "--budget standard, medium or full with it", "quick");
        if (chosenCell != null) {
            Refuse.when(!isQuick, "--cell", "--budget quick with it", budget.label());
            Refuse.when(
                    !evidence.has(chosenCell),
                    "--cell",
                    "a cell of the chosen figures that is in the evidence",
                    Refuse.quoted(chosenCell));
        }
    }

    boolean hasMismatch() {
        return !mismatches.isEmpty();
    }

    String howToGoOn() {
        return howToGoOn;
    }

    /** Whether a figure was judged from all of its cells and no recomputed cell differed. */
    boolean isJudged(FigureClaim claim) throws IOException {
        return evidence.cells(claim.grid()).isComplete() && !mismatches.containsKey(claim.grid());
    }

    /** The result of one figure; null if the test was interrupted. */
    @Nullable
    ClaimResult verify(FigureClaim claim, Computation computation) throws IOException {
        FigureGrid grid = claim.grid();
        if (!computation.isRounded()) {
            if (budget == Budget.QUICK) {
                recompute(grid.paper());
            } else if (!evidence.isRead(grid)) {
                run(grid);
            }
            if (stop.getAsBoolean()) {
                return null;
            }
        }
        ClaimResult result =
                ClaimResult.of(claim, budget, computation, environment, evidence.cells(grid), evidence.missing(grid));
        Recomputation mismatch = mismatches.get(grid);
        return mismatch == null ? result : result.undecided("the evidence is not reproduced: " + mismatch.describe());
    }

    /** Recomputes a cell of a paper and, without --cell, the first steps of a longer one; only once for each paper. */
    private void recompute(String paper) throws IOException {
        if (!recomputedPapers.add(paper)) {
            return;
        }
        var choices = new ArrayList<FigureEvidence.Choice>();
        evidence.choose(paper, chosenCell).ifPresent(choices::add);
        if (chosenCell == null) {
            evidence.choosePart(paper).ifPresent(choices::add);
            FigureEvidence.Choice whole = choices.isEmpty() ? null : choices.getFirst();
            if (whole != null && whole.isDear() && !whole.isPart()) {
                say("Not recomputed " + whole.grid().id() + ": the cheapest cell took "
                        + String.format(Locale.ROOT, "%.0f", whole.seconds()) + " s; --cell "
                        + whole.record().cell() + " computes it");
                choices.removeFirst();
            }
            String notInPart = evidence.notInPart(paper);
            if (!notInPart.isEmpty()) {
                say("Not recomputed " + paper + ": " + notInPart);
            }
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(FigureEvidence.PATIENCE_SECONDS);
        // A cell chosen by the user has no time limit.
        BooleanSupplier ends = () -> stop.getAsBoolean() || (chosenCell == null && System.nanoTime() - deadline > 0);
        try (ExecutorService executor = Executors.newCachedThreadPool()) {
            var all = new ArrayList<Future<Recomputation>>();
            for (FigureEvidence.Choice choice : choices) {
                all.add(executor.submit(() -> choice.recompute(ends)));
            }
            for (int i = 0; i < choices.size(); i++) {
                Recomputation recomputation = result(all.get(i));
                if (!stop.getAsBoolean()) {
                    compare(choices.get(i), recomputation);
                }
            }
        }
    }

    /** The result of a task. Rethrows the task's exceptions. */
    static <T> T result(Future<T> future) throws IOException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw new IllegalStateException("a task that throws nothing else", e);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this thread", e);
        }
    }

    private void compare(FigureEvidence.Choice choice, Recomputation recomputation) {
        boolean agrees = recomputation.mismatches().isEmpty();
        FigureGrid grid = choice.grid();
        CellRecord now = recomputation.now();
        String outcome = now == null ? "Unfinished" : agrees ? "Recomputed" : "Mismatch";
        String time = now == null
                ? ""
                : String.format(Locale.ROOT, " (%.1f s)", now.run().seconds());
        String remedy = agrees
                ? ""
                : "; if the kernels were meant to change: lemmata verify " + grid.id() + " --budget "
                        + choice.cells().sizes().label();
        say("%-13s%s%s: ".formatted(outcome, grid.id(), time) + recomputation.describe() + remedy);
        if (!agrees) {
            mismatches.put(grid, recomputation);
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }

    /** Checks the file before the first cell, because an unwritable file would cost hours of work. */
    private void requireWritable(FigureGrid grid) throws IOException {
        Path file = evidence.evidence().file(grid.paper()).toAbsolutePath();
        OutDirectory.requireWritable("--evidence", file, file.resolveSibling(""));
    }

    private void run(FigureGrid grid) throws IOException {
        requireWritable(grid);
        Sweep sweep = grid.sweep(budget);
        var run = new FigureRun(grid, sweep, directory(grid));
        SweepRun.Progress end;
        try (var progress = new SweepProgress(err, sweep)) {
            end = run.run(evidence.evidence(), stop, progress);
        }
        if (stop.getAsBoolean()) {
            howToGoOn = ", with " + end.done() + " of " + end.cells() + " cells of " + grid.id()
                    + (work != null || isOfOneCode(environment)
                            ? "; repeat the command to continue"
                            : "; the code has uncommitted changes: if you repeat the command, it starts again");
        } else if (work == null && end.isComplete()) {
            run.discard();
        }
    }

    /** Runs a campaign, one figure after another, for at most {@code hours}, and prints the remaining figures. */
    void run(Campaign campaign, double hours) throws IOException {
        long end = System.nanoTime() + Math.round(hours * TimeUnit.HOURS.toNanos(1));
        BooleanSupplier isOver = () -> stop.getAsBoolean() || System.nanoTime() - end > 0;
        var taken = new HashSet<FigureGrid>();
        while (!isOver.getAsBoolean()) {
            // The remaining figures are computed again each time: figures share cells, so one figure's run may have
            // completed cells of another.
            Campaign.Part part = campaign.left().stream()
                    .filter(each -> !taken.contains(each.grid()))
                    .findFirst()
                    .orElse(null);
            if (part == null) {
                break;
            }
            taken.add(part.grid());
            requireWritable(part.grid());
            say("Campaign     " + describe(part));
            try (var progress = new SweepProgress(err, part.left())) {
                campaign.run(part, isOver, progress);
            }
        }
        List<Campaign.Part> left = campaign.left();
        left.forEach(part -> say("Left         " + describe(part)));
        say(
                left.isEmpty()
                        ? "Campaign     nothing is left at the budget "
                                + campaign.budget().label()
                        : "Campaign     repeat the command to continue; unfinished cells are in " + campaign.work());
    }

    private static String describe(Campaign.Part part) {
        return part.grid().id() + ": " + part.left().cells().size() + " of " + part.all() + " cells, for "
                + part.claims() + " claims, "
                + (Double.isNaN(part.seconds())
                        ? "of unknown length"
                        : String.format(
                                Locale.ROOT,
                                "about %.1f core-hours",
                                part.seconds() * part.left().threads() / TimeUnit.HOURS.toSeconds(1)));
    }

    private Path directory(FigureGrid grid) {
        String name = grid.id() + "-" + budget.label() + plugins(grid);
        return work != null ? work.resolve(name) : usualPlace(name, environment);
    }

    /** A part of the directory's name for the plugins, because the commit does not identify their code. */
    private String plugins(FigureGrid grid) {
        return Plugin.has(grid.beside())
                ? "-" + environment.getOrDefault(Plugin.RECORDED, UNKNOWN).replaceAll("[^A-Za-z0-9.]+", "-")
                : "";
    }

    /**
     * The directory for cells. Its name has the commit, so that cells of other commits are not reused. If the commit
     * does not identify the code, the name also has the time.
     */
    static Path usualPlace(String name, Map<String, String> environment) {
        String time = environment.getOrDefault("time", Instant.now().toString()).replace(":", "");
        return usualPlace("sweeps")
                .resolve(name + "-" + environment.getOrDefault("commit", UNKNOWN)
                        + (isOfOneCode(environment) ? "" : "-" + time));
    }

    /** A directory in {@code target} of the checkout with the running code; otherwise in the user's cache. */
    static Path usualPlace(String kind) {
        return RunRecord.checkout()
                .map(root -> root.resolve("target").resolve(kind))
                .orElseGet(() -> CommitBuilds.CACHE.resolveSibling(kind));
    }

    private static boolean isOfOneCode(Map<String, String> environment) {
        String commit = environment.getOrDefault("commit", UNKNOWN);
        return !commit.equals(UNKNOWN) && !commit.endsWith(DIRTY);
    }
}
