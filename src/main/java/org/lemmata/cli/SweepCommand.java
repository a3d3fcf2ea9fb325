package org.lemmata.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.argument.Suggestion;
import org.lemmata.claim.Claims;
import org.lemmata.claim.FigureGrid;
import org.lemmata.cli.terminal.Interruption;
import org.lemmata.cli.terminal.StandardError;
import org.lemmata.cli.terminal.SweepProgress;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.cli.text.SweepPlanText;
import org.lemmata.file.Json;
import org.lemmata.sweep.LocalEngine;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepDirectory;
import org.lemmata.sweep.SweepEngine;
import org.lemmata.sweep.SweepEstimate;
import org.lemmata.sweep.SweepRun;
import org.lemmata.track.CellRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a grid of trials. */
@Command(
        name = "sweep",
        description = "Runs a grid of trials as a file describes it (docs/sweeps.md), and goes on where it was"
                + " interrupted. Leaves results.jsonl, results.csv and a directory for each cell. Exit code 1: a cell"
                + " failed; 130: interrupted, to be resumed.")
final class SweepCommand extends OutputCommand {

    @Parameters(index = "0", paramLabel = "CONFIG", description = "A YAML file, or the id of a figure's claim.")
    private Path config;

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "KEY=VALUE",
            description = "In place of what the file says: seeds=3, say, or base.steps=100.")
    private List<String> overrides = new ArrayList<>();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "A directory that is new or empty, or that of a sweep: what is done there is not done again.")
    private @Nullable Path directory;

    @Option(
            names = "--budget",
            paramLabel = "NAME",
            defaultValue = Sweep.FULL,
            description = "One of the file's budgets; by default full, the file as it stands.")
    private String budget;

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            defaultValue = "local",
            description = "local (default): this JVM; spark: Apache Spark.")
    private String engine;

    @Option(
            names = "--engine-option",
            paramLabel = "KEY=VALUE",
            description = "Of the engine spark: master=spark://host:7077, or a setting of Spark.")
    private Map<String, String> engineOptions = new LinkedHashMap<>();

    @Option(
            names = "--dry-run",
            description =
                    "List the cells, and what they would take, from the speed of some of their steps; with --out, of"
                            + " what is left. Runs none.")
    private boolean dryRun;

    @Option(
            names = "--measure",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description =
                    "How long --dry-run measures the speed of some cells; 10 by default, 0 for no estimate of time.")
    private int measureSeconds;

    @Option(names = "--json", description = "Print a summary, or with --dry-run the plan, as JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        Sweep sweep = sweep();
        SweepEngine chosen = SweepEngine.named(engine);
        Refuse.below("--measure", measureSeconds, 0);
        if (dryRun) {
            Map<String, CellRecord> records = directory == null ? Map.of() : SweepDirectory.recorded(directory);
            Optional<SweepEstimate> estimate = measureSeconds > 0
                    ? SweepEstimate.measure(sweep, Duration.ofSeconds(measureSeconds))
                    : Optional.empty();
            new SweepPlanText(sweep, estimate, records).print(out(), json);
            if (chosen instanceof LocalEngine) {
                SweepEstimate.shortage(sweep).ifPresent(why -> err().println("lemmata: before it runs: " + why));
            }
            return ExitCode.CLEAN;
        }
        if (directory == null) {
            throw new IllegalArgumentException("--out: expected a directory, got none (or --dry-run)");
        }
        SweepRun.Progress end;
        boolean stopped;
        try (SweepDirectory results = SweepDirectory.open(directory);
                Interruption interruption = new Interruption();
                SweepProgress progress = new SweepProgress(err(), sweep, StandardError.isTerminal())) {
            interruption.listen();
            end = new SweepRun(sweep, chosen, engineOptions).run(results, interruption::isRequested, progress);
            stopped = interruption.isRequested();
        }
        String place = directory.resolve(SweepDirectory.RESULTS).toString();
        if (json) {
            out().println(Json.line(Json.object(
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
            err().println("sweep: stopped; the same command goes on");
            return ExitCode.INTERRUPTED;
        }
        return end.isComplete() ? ExitCode.CLEAN : ExitCode.CONTRARY;
    }

    /** That of the file, or of the figure whose id it is. */
    private Sweep sweep() throws IOException {
        Optional<FigureGrid> figure = Files.exists(config) ? Optional.empty() : Claims.grid(config.toString());
        if (figure.isEmpty() && !Files.exists(config)) {
            throw new IllegalArgumentException(config + ": expected a configuration, got no such file"
                    + Suggestion.hint(config.toString(), Claims.names()));
        }
        return figure.isPresent() ? figure.get().sweep(budget, overrides) : Sweep.read(config, overrides, budget);
    }
}
