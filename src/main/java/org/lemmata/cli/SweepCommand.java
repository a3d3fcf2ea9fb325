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
}
