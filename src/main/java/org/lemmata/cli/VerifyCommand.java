package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.Claims;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.OwnCells;
import org.lemmata.claim.PinnedVerdicts;
import org.lemmata.claim.evidence.Campaign;
import org.lemmata.cli.terminal.Interruption;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.track.Evidence;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "verify",
        description = {
            "Test claims and print their verdicts.",
            "Figures of trained models are judged from recorded cells under evidence/. The budget "
                    + "quick also recomputes one random cell. The budgets standard (reduced sizes), medium and "
                    + "full (the paper's sizes) compute all cells of the figures and add them to the evidence; "
                    + "with --limit-hours, only the missing cells.",
            "Verdicts with --format or --precision are not compared with the pinned ones, so the exit "
                    + "code is 0. A claim is Inconclusive if the format is too narrow for "
                    + "its construction (unless you use --force), and NotTested if its test rounds nothing."
        },
        exitCodeList = {
            "0:Every verdict is the pinned one.",
            "1:A verdict contradicts the pinned one, or a recomputed cell differs from the evidence.",
            "2:Bad input or a failure; one line on standard error names it.",
            "3:A claim with a pinned verdict was not decided.",
            "130:Interrupted; the same command resumes."
        },
        footer = {
            "  lemmata verify depth",
            "  lemmata verify depth.theorem-4.1 -p N=4..20",
            "  lemmata verify hierarchy.theorem-1 --format bfloat16"
        })
final class VerifyCommand extends JsonCommand {

    /** Set by bin/lemmata, which lowers the priority of the JVM; a JVM cannot lower its own. */
    private static final String NICE = "lemmata.nice";

    @Parameters(
            arity = "0..*",
            paramLabel = "CLAIM",
            description = "Claim ids or their first parts, such as depth or depth.theorem-4.1 (default: all claims).")
    private List<String> words = new ArrayList<>();

    @Option(
            names = "--budget",
            defaultValue = "quick",
            description = "quick, standard, medium or full (default: ${DEFAULT-VALUE}).")
    private Budget budget;

    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description = "Write a table with one line per claim, like docs/verdicts.md.")
    private @Nullable Path markdown;

    @Option(
            names = "--evidence",
            paramLabel = "DIR",
            description = "The recorded cells (default: evidence in the directory of this program; for plug-ins, in "
                    + "the current directory).")
    private @Nullable Path evidence;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "The directory for the cells of unfinished figures (default: target/sweeps).")
    private @Nullable Path work;

    @Option(
            names = "--limit-hours",
            paramLabel = "HOURS",
            description = "With --budget standard, medium or full: compute missing cells for this many hours, then "
                    + "judge. Cells that decide most for their cost come first. Repeat the command to continue. "
                    + "0 lists the missing cells.")
    private @Nullable Double limitHours;

    @Option(names = "--nice", description = "Run at the lowest priority. Needs bin/lemmata.")
    private boolean nice;

    @Option(
            names = "--cell",
            paramLabel = "ID",
            description = "The cell that the budget quick recomputes (default: a random one).")
    private @Nullable String cell;

    @Option(
            names = "-p",
            paramLabel = "NAME=VALUE",
            description = "Set a setting of the claim (see `lemmata claims`). The verdict is then not compared with "
                    + "the pinned one.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = "--cells",
            paramLabel = "DIR",
            description = "Judge figures from the cells in a directory that `lemmata sweep` wrote, instead of the "
                    + "evidence. The cells may have other axes and values than the figure.")
    private @Nullable Path ownCells;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write measurements as CSV, and plots as SVG with their points as CSV.")
    private @Nullable Path files;

    @Option(
            names = "--pin",
            description = "Pin the verdicts: write them to verdicts.json next to the evidence. A later verdict that "
                    + "differs is an alarm.")
    private boolean pin;

    @Mixin
    private PrecisionOptions precision = new PrecisionOptions();

    @Option(names = PrecisionOptions.FORCE, description = PrecisionOptions.FORCE_TEXT)
    private boolean force;

    @Override
    public Integer call() throws IOException {
        List<Claim> claims = Claims.select(words);
        // With the quick budget, each core tests one claim with one thread.
        boolean isQuick = budget == Budget.QUICK || limitHours != null;
        try (Workers workers = Workers.of(isQuick ? 1 : Runtime.getRuntime().availableProcessors())) {
            Computation computation = precision.computation(Kernels.best(workers), force);
            if (ownCells != null) {
                Refuse.when(figures(claims).isEmpty(), "--cells", "figures of trained models", String.join(" ", words));
                boolean ofEvidence = cell != null || evidence != null || work != null || limitHours != null;
                Refuse.when(
                        pin || !settings.isEmpty() || computation.isRounded() || budget != Budget.QUICK || ofEvidence,
                        "--cells",
                        "no --pin, -p, --format, --budget, --cell, --evidence, --work or --limit-hours with it",
                        "one");
                return judge(figures(claims), ownCells, computation);
            }
            return verify(settings.isEmpty() ? claims : adjustable(claims), computation);
        }
    }

    /** Judges figures from the cells in {@code directory}, and prints why other figures cannot be judged. */
    private int judge(List<FigureClaim> claims, Path directory, Computation computation) throws IOException {
        VerdictOutput output = output();
        Map<String, String> environment = environment(computation.kernels());
        var cells = new HashMap<FigureGrid, List<OwnCells>>();
        var results = new ArrayList<ClaimResult>();
        var refusals = new LinkedHashSet<String>();
        for (FigureClaim claim : claims) {
            if (!cells.containsKey(claim.grid())) {
                cells.put(claim.grid(), List.of());
                try {
                    cells.put(claim.grid(), OwnCells.of(claim.grid(), directory));
                } catch (IllegalArgumentException e) {
                    refusals.add(String.valueOf(e.getMessage()));
                }
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
        refusals.forEach(refusal -> err().println("verify: " + refusal));
        output.write(results, Budget.QUICK);
        return ExitCode.CLEAN;
    }

    int verify(List<Claim> claims, Computation computation) throws IOException {
        try (var interruption = new Interruption(
                () -> err().println("verify: waiting for running claims to end; a second Ctrl-C stops at once"))) {
            return verify(claims, computation, interruption::isRequested);
        }
    }

    private int verify(List<Claim> claims, Computation computation, BooleanSupplier stop) throws IOException {
        requireCampaignOptions();
        VerdictOutput output = output();
        PrintWriter text = text();
        Refuse.when(pin && !settings.isEmpty(), "-p", "no --pin with it", "both");
        Refuse.when(pin && computation.isRounded(), "--pin", "models that are not rounded", computation.precision());
        if (budget == Budget.QUICK && !pin) {
            OutDirectory.requireDirectory("--evidence", evidence);
        }
        Map<String, String> environment = environment(computation.kernels());
        Evidence cells = evidence == null ? Claims.evidence() : new Evidence(evidence);
        var pins = new PinnedVerdicts(cells);
        pins.read(claims);
        boolean isCampaign = limitHours != null;
        // A campaign is judged from all existing evidence.
        Budget judgedAt = isCampaign ? Budget.QUICK : budget;
        var figures = new FigureVerification(
                judgedAt, figures(claims), cells, isCampaign ? null : work, cell, environment, text, err(), stop);
        figures.requireOptions();
        if (limitHours != null) {
            Path place = work != null ? work : FigureVerification.usualPlace("campaign");
            figures.run(new Campaign(budget, figures(claims), cells, place), limitHours);
            if (stop.getAsBoolean()) {
                return ExitCode.INTERRUPTED;
            }
        }
        Map<Claim, FutureTask<ClaimResult>> computed = computed(claims, judgedAt, computation, environment);
        if (judgedAt == Budget.QUICK) {
            // Claims at larger budgets need all memory and cores, so they run one after another.
            computeAhead(computed.values(), stop);
        }
        List<ClaimResult> results = new ArrayList<>();
        List<ClaimResult> judged = new ArrayList<>();
        if (words.isEmpty()) {
            err().println("verify: " + claims.size() + " claims, at the budget " + judgedAt.label());
        }
        for (Claim claim : claims) {
            ClaimResult result = stop.getAsBoolean()
                    ? null
                    : claim instanceof FigureClaim figure
                            ? figures.verify(figure, computation)
                            : computed(Objects.requireNonNull(computed.get(claim)));
            if (result == null) {
                err().println("verify: stopped after " + results.size() + " of " + claims.size() + " claims"
                        + figures.howToGoOn());
                return ExitCode.INTERRUPTED;
            }
            result = pins.beside(result);
            results.add(result);
            if (!(claim instanceof FigureClaim figure) || figures.isJudged(figure)) {
                judged.add(result);
            }
            output.print(result);
        }
        output.write(results, judgedAt);
        if (pin) {
            pins.pin(judged);
            text.println("Pinned " + judged.size() + " of " + results.size() + " verdicts in "
                    + judged.stream()
                            .map(result -> cells.directory(result.paperKey()).toString())
                            .distinct()
                            .collect(Collectors.joining(", ")));
            return judged.size() == results.size() ? ExitCode.CLEAN : ExitCode.INCONCLUSIVE;
        }
        return figures.hasMismatch() ? ExitCode.CONTRARY : VerdictOutput.exitCode(results);
    }

    private VerdictOutput output() throws IOException {
        var output = new VerdictOutput(this, markdown, files, !words.isEmpty());
        output.requirePlaces();
        return output;
    }

    /** A task for each claim that is computed. The first thread that needs a result runs the task. */
    private Map<Claim, FutureTask<ClaimResult>> computed(
            List<Claim> claims, Budget judgedAt, Computation computation, Map<String, String> environment) {
        var tasks = new LinkedHashMap<Claim, FutureTask<ClaimResult>>();
        for (Claim claim : claims) {
            if (claim instanceof ComputedClaim each) {
                var given = new LinkedHashMap<>(settings);
                tasks.put(
                        claim, new FutureTask<>(() -> ClaimResult.of(each, judgedAt, given, computation, environment)));
            }
        }
        return tasks;
    }

    /** Runs the tasks on all cores while the caller judges figures and prints results in order. */
    private static void computeAhead(Collection<FutureTask<ClaimResult>> tasks, BooleanSupplier stop) {
        var waiting = new ConcurrentLinkedQueue<>(tasks);
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            Thread.ofPlatform().daemon().name("lemmata-claims-" + i).start(() -> {
                for (var next = waiting.poll(); next != null && !stop.getAsBoolean(); next = waiting.poll()) {
                    next.run();
                }
            });
        }
    }

    private static ClaimResult computed(FutureTask<ClaimResult> task) throws IOException {
        task.run();
        return FigureVerification.result(task);
    }

    private void requireCampaignOptions() {
        if (limitHours != null && (budget == Budget.QUICK || !(limitHours >= 0))) {
            throw new IllegalArgumentException(
                    "--limit-hours: expected at least 0, with --budget standard, medium or full with it, got "
                            + limitHours + " with " + budget.label());
        }
        Refuse.when(nice && !Boolean.getBoolean(NICE), "--nice", "to be started by bin/lemmata", "another start");
    }

    /** The claims that accept all given settings. Other claims are listed on standard error. */
    private List<Claim> adjustable(List<Claim> claims) {
        var tested = new ArrayList<Claim>();
        var others = new TreeMap<String, List<String>>();
        for (Claim claim : claims) {
            String refusal = refusal(claim);
            if (refusal.isEmpty()) {
                tested.add(claim);
            } else {
                others.computeIfAbsent(refusal, any -> new ArrayList<>()).add(claim.id());
            }
        }
        if (tested.isEmpty()) {
            // An error about a value is more useful than the error of a claim without settings, which begins with "-".
            String why = others.ceilingKey("A");
            throw new IllegalArgumentException(why == null ? others.firstKey() : why);
        }
        others.forEach((why, ids) -> err().println("verify: skipped: " + String.join(", ", ids) + ": " + why));
        return tested;
    }

    /** The reason why a claim cannot be tested with the given settings; empty if it can be tested. */
    private String refusal(Claim claim) {
        if (!(claim instanceof ComputedClaim computed) || computed.settings().isEmpty()) {
            return "-p: expected a claim with settings, got one without settings";
        }
        try {
            computed.range(computed.scope(budget, settings));
            return "";
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static List<FigureClaim> figures(List<Claim> claims) {
        return claims.stream()
                .filter(FigureClaim.class::isInstance)
                .map(FigureClaim.class::cast)
                .toList();
    }
}
