package org.lemmata.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
import org.lemmata.setting.Plugin;
import org.lemmata.track.Evidence;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.RunRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tests claims and prints their verdicts. */
@Command(
        name = "verify",
        description =
                "Tests claims and prints their verdicts. Figures of trained models are judged from the cells under"
                    + " evidence/, of which the quick budget computes a random one again; standard (reduced sizes),"
                    + " medium (between) and full (the paper's) compute all of them, take up what was interrupted, and"
                    + " write the evidence. Exit code 1: a verdict contrary to the pinned one, or a cell that is not"
                    + " as the evidence has it; 3: no verdict where one is pinned; 130: interrupted, to be resumed."
                    + " With --format or --precision the constructions that claims run are rounded, and no verdict is"
                    + " pinned: each is printed, and the exit code is 0. A claim is Inconclusive where the format"
                    + " cannot hold a construction, unless --force is given, and NotTested where its test rounds"
                    + " nothing.")
final class VerifyCommand extends OutputCommand {

    /** Set by bin/lemmata, which alone can lower the priority of the whole JVM. */
    private static final String NICE = "lemmata.nice";

    @Parameters(
            arity = "0..*",
            paramLabel = "CLAIM",
            description = "Claim ids or their first parts (depth, depth.theorem-4.1); all claims by default.")
    private List<String> words = new ArrayList<>();

    @Option(names = "--budget", defaultValue = "quick", description = "quick (default), standard, medium or full.")
    private Budget budget;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description = "Write the results there, with figures and environment.")
    private @Nullable Path json;

    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description = "Write a table there, one line a claim, as docs/verdicts.md.")
    private @Nullable Path markdown;

    @Option(
            names = "--evidence",
            paramLabel = "DIR",
            description = "The cells that figures are judged from; by default evidence in the checkout of this program,"
                    + " of plugins in this directory.")
    private @Nullable Path evidence;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "Where all but quick compute cells, and keep them; by default in target/sweeps, until all"
                    + " are done.")
    private @Nullable Path work;

    @Option(
            names = "--limit-hours",
            paramLabel = "HOURS",
            description = "Beside --budget standard, medium or full: let the evidence grow for so long, by cells of"
                + " that size that it lacks, those first that decide most for what they cost, and judge at the largest"
                + " size that is complete. The same command goes on; 0 tells what is left.")
    private @Nullable Double limitHours;

    @Option(names = "--nice", description = "At the lowest priority, beside other work; bin/lemmata sees to it.")
    private boolean nice;

    @Option(
            names = "--cell",
            paramLabel = "ID",
            description = "The cell that the quick budget computes again, in place of a random one.")
    private @Nullable String cell;

    @Option(
            names = "-p",
            paramLabel = "NAME=VALUE",
            description =
                    "A setting of the claim, as `lemmata claims` lists it; what is tested then has no pinned verdict.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(
            names = "--cells",
            paramLabel = "DIR",
            description =
                    "Judge figures from the cells of this directory, as `lemmata sweep` leaves it, in place of the"
                            + " evidence; also along axes and at values that the figure does not have.")
    private @Nullable Path ownCells;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Write figures as CSV there, and pictures as SVG with their points as CSV.")
    private @Nullable Path files;

    @Option(
            names = "--pin",
            description = "Pin the verdicts: write them to verdicts.json beside the evidence, from where on another one"
                    + " is an alarm.")
    private boolean pin;

    @Mixin
    private PrecisionOptions precision = new PrecisionOptions();

    @Option(names = PrecisionOptions.FORCE, description = PrecisionOptions.FORCE_TEXT)
    private boolean force;

    @Override
    public Integer call() throws IOException {
        List<Claim> claims = Claims.select(words);
        // A quick budget has a claim on each core, and so a thread for each.
        boolean isQuick = budget == Budget.QUICK || limitHours != null;
        try (Workers workers = Workers.of(isQuick ? 1 : Runtime.getRuntime().availableProcessors())) {
            Computation computation = precision.computation(Kernels.best(workers), force);
            if (ownCells != null) {
                Refuse.when(figures(claims).isEmpty(), "--cells", "figures of trained models", String.join(" ", words));
                Refuse.when(
                        pin || !settings.isEmpty() || computation.isRounded() || budget != Budget.QUICK,
                        "--cells",
                        "no --pin, -p, --format or --budget beside it",
                        "one");
                return judge(figures(claims), ownCells, computation);
            }
            return verify(settings.isEmpty() ? claims : adjustable(claims), computation);
        }
    }

    /** Judges figures from a user's cells; sentences whose cells are not there are named. */
    private int judge(List<FigureClaim> claims, Path directory, Computation computation) throws IOException {
        VerdictOutput output = output();
        Map<String, String> environment = environment(computation);
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
        refusals.forEach(refusal -> err().println("verify: " + refusal));
        output.write(results, Budget.QUICK);
        return ExitCode.CLEAN;
    }

    /** Tests the claims in order and returns the exit code. */
    int verify(List<Claim> claims, Computation computation) throws IOException {
        try (var interruption = new Interruption()) {
            interruption.listen(() -> err().println("verify: ends what is running; a second Ctrl-C ends it at once"));
            return verify(claims, computation, interruption::isRequested);
        }
    }

    private int verify(List<Claim> claims, Computation computation, BooleanSupplier stop) throws IOException {
        requireCampaignOptions();
        VerdictOutput output = output();
        output.requirePlaces();
        Refuse.when(pin && !settings.isEmpty(), "-p", "no --pin beside it", "both");
        Refuse.when(pin && computation.isRounded(), "--pin", "models that are not rounded", computation.precision());
        Map<String, String> environment = environment(computation);
        Evidence cells = evidence == null ? Claims.evidence() : new Evidence(evidence);
        var pins = new PinnedVerdicts(cells);
        pins.read(claims);
        boolean isCampaign = limitHours != null;
        // What a campaign has come to is judged from all the evidence that there is.
        Budget judgedAt = isCampaign ? Budget.QUICK : budget;
        var figures = new FigureVerification(
                judgedAt, figures(claims), cells, isCampaign ? null : work, cell, environment, out(), err(), stop);
        figures.requireOptions();
        if (limitHours != null) {
            Path place = work != null ? work : FigureVerification.usualPlace("campaign");
            new CampaignRun(new Campaign(budget, figures(claims), cells, place), limitHours, out(), err()).run(stop);
            if (stop.getAsBoolean()) {
                return ExitCode.INTERRUPTED;
            }
        }
        Map<Claim, FutureTask<ClaimResult>> computed = computed(claims, judgedAt, computation, environment);
        if (judgedAt == Budget.QUICK) {
            // Those of other budgets take the memory and the cores that there are.
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
            out().println("Pinned " + judged.size() + " of " + results.size() + " verdicts in "
                    + judged.stream()
                            .map(result -> cells.directory(result.paperKey()).toString())
                            .distinct()
                            .collect(Collectors.joining(", ")));
            return judged.size() == results.size() ? ExitCode.CLEAN : ExitCode.INCONCLUSIVE;
        }
        return figures.hasMismatch() ? ExitCode.CONTRARY : VerdictOutput.exitCode(results);
    }

    private VerdictOutput output() {
        return new VerdictOutput(out(), json, markdown, files, !words.isEmpty());
    }

    private static Map<String, String> environment(Computation computation) {
        return Plugin.recordedIn(
                RunRecord.now(MachineIdentity.current(computation.kernels().description()), List.of())
                        .environment());
    }

    /** The computed claims among some, each to be run once, by whoever comes first. */
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

    /** Runs them on all cores, while figures are judged and results printed in the order of the claims. */
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
                    "--limit-hours: expected at least 0, with --budget standard, medium or full beside it, got "
                            + limitHours + " with " + budget.label());
        }
        Refuse.when(nice && !Boolean.getBoolean(NICE), "--nice", "to be started by bin/lemmata", "another start");
    }

    /** Those of some claims that list all settings that are given and take their values; the others are named. */
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
            // What a value has to be tells more than that claims have nothing to set, which begins with a hyphen.
            String why = others.ceilingKey("A");
            throw new IllegalArgumentException(why == null ? others.firstKey() : why);
        }
        others.forEach((why, ids) -> err().println("verify: " + why + ": not tested: " + String.join(", ", ids)));
        return tested;
    }

    /** Why a claim cannot be tested with the settings that are given; empty if it can. */
    private String refusal(Claim claim) {
        if (!(claim instanceof ComputedClaim computed) || computed.settings().isEmpty()) {
            return "-p: expected a claim with settings, got one that has nothing to set";
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
