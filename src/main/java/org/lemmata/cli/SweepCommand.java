package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.argument.Suggestion;
import org.lemmata.claim.Claims;
import org.lemmata.claim.FigureGrid;
import org.lemmata.cli.terminal.Interruption;
import org.lemmata.cli.terminal.TerminalProgress;
import org.lemmata.cli.terminal.TerminalProgress.SweepProgress;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.file.Json;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.LocalEngine;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepDirectory;
import org.lemmata.sweep.SweepEngine;
import org.lemmata.sweep.SweepEstimate;
import org.lemmata.sweep.SweepRun;
import org.lemmata.sweep.Trial;
import org.lemmata.track.CellRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "sweep",
        description = {
            "Run a grid of trials from a file (docs/sweeps.md), or resume it.",
            "Writes results.jsonl, results.csv and a directory for each cell."
        },
        exitCodeList = {
            "0:All cells are done.",
            "1:A cell failed.",
            "2:Bad input or a failure; one line on standard error names it.",
            "130:Interrupted; the same command resumes."
        },
        footer = {
            "  lemmata sweep docs/sweeps/example.yaml --dry-run",
            "  lemmata sweep symbol.figure-6 --budget standard --out standard"
        })
final class SweepCommand extends JsonCommand {

    @Parameters(index = "0", paramLabel = "CONFIG", description = "A YAML file, or the id of a claim about a figure.")
    private Path config;

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "KEY=VALUE",
            description = "Override a key of the file, such as seeds=3 or base.steps=100.")
    private List<String> overrides = new ArrayList<>();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The directory of the sweep: new, empty, or an earlier sweep, whose finished cells are kept.")
    private @Nullable Path directory;

    @Option(
            names = "--budget",
            paramLabel = "NAME",
            defaultValue = Sweep.FULL,
            description = "A budget of the file (default: ${DEFAULT-VALUE}, the file without changes).")
    private String budget;

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            defaultValue = "local",
            description = "Where cells run: local (this JVM) or spark (default: ${DEFAULT-VALUE}).")
    private String engine;

    @Option(
            names = "--engine-option",
            paramLabel = "KEY=VALUE",
            description = "Set an option of the engine spark: master=spark://host:7077, or any setting of Spark.")
    private Map<String, String> engineOptions = new LinkedHashMap<>();

    @Option(
            names = "--dry-run",
            description = "List the cells and estimate their time from a few measured steps; run none. With --out, "
                    + "estimate only what is left.")
    private boolean dryRun;

    @Option(
            names = "--measure",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "How long --dry-run measures (default: ${DEFAULT-VALUE}; 0: no estimate).")
    private int measureSeconds;

    @Override
    public Integer call() throws IOException {
        Sweep sweep = sweep();
        SweepEngine chosen = SweepEngine.named(engine);
        boolean measures = commandLine().getParseResult().hasMatchedOption("--measure");
        Refuse.when(measures && !dryRun, "--measure", "--dry-run with it", "none");
        Refuse.below("--measure", measureSeconds, 0);
        if (dryRun) {
            Map<String, CellRecord> records = directory == null ? Map.of() : SweepDirectory.recorded(directory);
            Optional<SweepEstimate> estimate = measureSeconds > 0
                    ? SweepEstimate.measure(sweep, Duration.ofSeconds(measureSeconds))
                    : Optional.empty();
            var plan = new SweepPlanText(sweep, estimate, records);
            printJson(plan.object(), () -> plan.print(out()));
            if (chosen instanceof LocalEngine) {
                SweepEstimate.shortage(sweep).ifPresent(why -> err().println("lemmata: before it runs: " + why));
            }
            return ExitCode.CLEAN;
        }
        if (directory == null) {
            throw new IllegalArgumentException("--out: expected a directory, got none (or --dry-run)");
        }
        requireJsonPlace();
        SweepRun.Progress end;
        boolean stopped;
        try (SweepDirectory results = SweepDirectory.open(directory);
                Interruption interruption = new Interruption();
                SweepProgress progress = new SweepProgress(err(), sweep)) {
            end = new SweepRun(sweep, chosen, engineOptions).run(results, interruption::isRequested, progress);
            stopped = interruption.isRequested();
        }
        String place = directory.resolve(SweepDirectory.RESULTS).toString();
        if (isJson()) {
            println(Json.line(Json.object(
                    "cells", end.cells(),
                    "before", end.before(),
                    "done", end.done(),
                    "failed", end.failed(),
                    "results", place)));
        } else {
            out().println("sweep: " + end.done() + " of " + end.cells() + " cells done"
                    + (end.before() > 0 ? ", " + end.before() + " of them before" : "")
                    + (end.failed() > 0 ? ", " + end.failed() + " failed" : "") + "; " + place);
        }
        if (stopped && end.done() + end.failed() < end.cells()) {
            err().println("sweep: stopped; repeat the command to continue");
            return ExitCode.INTERRUPTED;
        }
        return end.isComplete() ? ExitCode.CLEAN : ExitCode.CONTRARY;
    }

    private Sweep sweep() throws IOException {
        if (Files.exists(config)) {
            return Sweep.read(config, overrides, budget);
        }
        FigureGrid figure = Claims.grid(config.toString())
                .orElseThrow(() -> new IllegalArgumentException(config + ": expected a configuration, got no such file"
                        + Suggestion.hint(config.toString(), Claims.names())));
        return figure.sweep(budget, overrides);
    }

    /**
     * The plan of a sweep, with its estimated cost, as text and as JSON.
     *
     * @param estimate empty if not requested, the trial cannot measure its speed, or memory is too small for a cell
     * @param records the records of cells that have run, by id
     */
    public record SweepPlanText(Sweep sweep, Optional<SweepEstimate> estimate, Map<String, CellRecord> records) {

        private static final int MOST_LISTED = 40;

        private static final int FIRST_LISTED = 10;
        private static final int LAST_LISTED = 5;

        private static final int MANY_CORES = 1000;

        private static final double ALONE = 0.9;

        private static final String LEFT_OUT =
                "The estimate assumes that every pass is as fast as a training step, and that no run stops early. It"
                    + " leaves out JVM start-up and compilation, checkpoints and other files, failed attempts, and the"
                    + " overhead of other engines.";

        public void print(PrintWriter out) {
            List<Cell> cells = sweep.cells();
            boolean few = cells.size() <= MOST_LISTED;
            int first = few ? cells.size() : FIRST_LISTED;
            cells.subList(0, first).forEach(cell -> out.println(line(cell)));
            if (!few) {
                int last = cells.size() - LAST_LISTED;
                out.println("... " + (last - first) + " more, which --json lists ...");
                cells.subList(last, cells.size()).forEach(cell -> out.println(line(cell)));
            }
            estimate.ifPresent(known -> printSamples(out, known));
            if (!records.isEmpty()) {
                out.println(done());
            }
            out.println("sweep: " + cells.size() + " cells"
                    + (sweep.duplicates() > 0
                            ? ", and " + sweep.duplicates() + " points that are the same as others"
                            : "")
                    + "; " + cost(cells.stream().mapToDouble(Cell::cost).sum()) + " in all"
                    + estimate.map(this::time).orElse(""));
        }

        private void printSamples(PrintWriter out, SweepEstimate known) {
            out.println("measured here, " + beside(known) + ":");
            for (SweepEstimate.Sample sample : known.samples()) {
                out.println("  " + cost(sample.stepCost()) + " a step: "
                        + cost(sample.speed().perSecond()) + "/s after "
                        + seconds(sample.speed().startSeconds()) + " ("
                        + sample.cell().id() + ")");
            }
            if (known.share() < ALONE) {
                out.printf(
                        Locale.ROOT,
                        "Busy: a thread had %.0f%% of a core. Times are for idle cores; with this load they are"
                                + " %.2g times as long.%n",
                        100 * known.share(),
                        1 / known.share());
            }
            out.println(LEFT_OUT);
        }

        private String time(SweepEstimate known) {
            List<Cell> left = left();
            return "; " + (left.size() < sweep.cells().size() ? "for the " + left.size() + " left " : "") + "about "
                    + coreHours(known.cellSeconds(left)) + ": "
                    + range(known, known.wallSeconds(left, known.atOnce())) + " here, "
                    + range(known, known.wallSeconds(left, placesOfMany())) + " on " + MANY_CORES
                    + " cores, never less than the longest cell, " + range(known, known.longestSeconds(left));
        }

        private static String range(SweepEstimate known, double seconds) {
            return seconds(seconds / known.spread()) + " to " + seconds(seconds * known.spread());
        }

        private int placesOfMany() {
            return Math.max(1, MANY_CORES / sweep.threads());
        }

        private String beside(SweepEstimate known) {
            return known.atOnce() + (known.atOnce() == 1 ? " cell" : " cells") + " at once on " + sweep.threads()
                    + (sweep.threads() == 1 ? " thread" : " threads") + " each";
        }

        private String done() {
            double seconds = sweep.cells().stream()
                    .flatMap(cell -> result(cell).stream())
                    .mapToDouble(record -> record.run().seconds())
                    .sum();
            return "done before: " + (sweep.cells().size() - left().size()) + " cells, " + coreHours(seconds)
                    + " by their records";
        }

        private Optional<CellRecord> result(Cell cell) {
            return Optional.ofNullable(records.get(cell.id()))
                    .filter(record -> record.status() == CellRecord.Status.DONE);
        }

        private boolean isDone(Cell cell) {
            return result(cell).isPresent();
        }

        private List<Cell> left() {
            return sweep.cells().stream().filter(Predicate.not(this::isDone)).toList();
        }

        private String line(Cell cell) {
            String time = estimate.map(known -> ", " + seconds(known.cellSeconds(List.of(cell))))
                    .orElse("");
            return cell.id() + "  " + axes(cell) + "  " + (isDone(cell) ? "done" : cost(cell.cost()) + time);
        }

        static String axes(Cell cell) {
            return cell.axes().entrySet().stream().map(axis -> axis + " ").collect(Collectors.joining()) + "seed="
                    + cell.seed();
        }

        private String cost(double cost) {
            String unit = Trial.named(sweep.trial()).costUnit();
            return unit.equals("FLOP") ? number(1e-9 * cost) + " GFLOP" : number(cost) + " " + unit;
        }

        private String coreHours(double cellSeconds) {
            return number(coreHoursOf(cellSeconds)) + " core-hours";
        }

        private double coreHoursOf(double cellSeconds) {
            return sweep.threads() * cellSeconds / 3600;
        }

        /** Formats with three digits, or as an integer from 1,000 on; the estimate is less precise. */
        private static String number(double value) {
            return value >= 999.5
                    ? String.format(Locale.ROOT, "%,.0f", value)
                    : String.format(Locale.ROOT, "%.3g", value);
        }

        private static String seconds(double seconds) {
            return seconds < 10 ? String.format(Locale.ROOT, "%.2g s", seconds) : TerminalProgress.time(seconds);
        }

        public Map<String, Object> object() {
            Map<String, Object> plan = new LinkedHashMap<>();
            plan.put("trial", sweep.trial());
            plan.put("threads", sweep.threads());
            plan.put("duplicates", sweep.duplicates());
            plan.put("costUnit", Trial.named(sweep.trial()).costUnit());
            plan.put("cost", sweep.cells().stream().mapToDouble(Cell::cost).sum());
            estimate.ifPresent(known -> plan.put("estimate", object(known)));
            plan.put("done", sweep.cells().size() - left().size());
            plan.put("cells", sweep.cells().stream().map(this::object).toList());
            return plan;
        }

        private Map<String, Object> object(SweepEstimate known) {
            List<Cell> left = left();
            Map<String, Object> object = new LinkedHashMap<>();
            object.put(
                    "samples",
                    known.samples().stream().map(SweepPlanText::object).toList());
            object.put("atOnce", known.atOnce());
            object.put("coreHoursLeft", coreHoursOf(known.cellSeconds(left)));
            object.put("secondsLeft", known.wallSeconds(left, known.atOnce()));
            object.put("secondsLeftOn" + MANY_CORES + "Cores", known.wallSeconds(left, placesOfMany()));
            object.put("secondsOfLongestLeft", known.longestSeconds(left));
            object.put("spread", known.spread());
            object.put("share", known.share());
            object.put("note", LEFT_OUT);
            return object;
        }

        private static Map<String, Object> object(SweepEstimate.Sample sample) {
            return Json.object(
                    "cell", sample.cell().id(),
                    "stepCost", sample.stepCost(),
                    "perSecond", sample.speed().perSecond(),
                    "startSeconds", sample.speed().startSeconds(),
                    "spread", sample.speed().spread());
        }

        private Map<String, Object> object(Cell cell) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("cell", cell.id());
            object.put("axes", cell.axes());
            object.put("seed", cell.seed());
            object.put("cost", cell.cost());
            estimate.ifPresent(known -> object.put("seconds", known.cellSeconds(List.of(cell))));
            object.put("done", isDone(cell));
            object.put("settings", cell.settings());
            return object;
        }
    }
}
