package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.cli.terminal.Interruption;
import org.lemmata.cli.terminal.TerminalProgress.TrainingProgress;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.config.Configuration;
import org.lemmata.experiment.PrecisionReader;
import org.lemmata.experiment.RunDirectory;
import org.lemmata.experiment.TrainingRun;
import org.lemmata.experiment.TrainingSections;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Json;
import org.lemmata.train.TrainingResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "train",
        description = {
            "Train a model from a configuration (docs/training.md).",
            "Writes config.yaml, curve.jsonl, checkpoints, weights.safetensors, config.json and result.json."
        },
        exitCodeList = {
            "0:Success.",
            "2:Bad input or a failure; one line on standard error names it.",
            "130:Interrupted; repeat the command with --resume."
        },
        footer = {
            "  lemmata train docs/examples/depth-quick.yaml --out run",
            "  lemmata train run.yaml model.width=64 steps=500 --out wide"
        })
final class TrainCommand extends JsonCommand {

    @Parameters(index = "0", paramLabel = "CONFIG", description = "The configuration, a YAML file.")
    private Path config;

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "KEY=VALUE",
            description = "Override a key of the configuration, such as model.width=64.")
    private List<String> overrides = new ArrayList<>();

    @Option(
            names = "--out",
            required = true,
            paramLabel = "DIR",
            description = "The directory of the run: new, empty, or with --resume an earlier run.")
    private Path directory;

    @Option(
            names = "--from",
            paramLabel = "RUN|WEIGHTS",
            description = "Start from the weights of a run or a safetensors file, like the key initialization.from.")
    private @Nullable Path from;

    @Mixin
    private PrecisionOptions precision = new PrecisionOptions();

    @Option(names = "--resume", description = "Continue from the last checkpoint in DIR.")
    private boolean resume;

    @Override
    public Integer call() throws IOException {
        requireJsonPlace();
        if (!resume) {
            Refuse.when(
                    Files.exists(directory.resolve(RunDirectory.CONFIG)),
                    "--out",
                    "a directory that is new or empty",
                    directory + " with the " + RunDirectory.CONFIG + " of a run; --resume continues it");
            OutDirectory.requireNewOrEmpty(directory);
        }
        Configuration root = configuration();
        try (TrainingRun run = TrainingRun.of(root)) {
            prepare(root);
            Map<String, String> environment = environment(run.kernels());
            PrintWriter err = err();
            TrainingResult result;
            try (Interruption interruption = new Interruption();
                    TrainingProgress progress = new TrainingProgress(
                            err, run.steps(), TrainingProgress.BETWEEN_LINES, interruption::isRequested)) {
                result = run.train(directory, resume, progress, line -> err.println("train: " + line));
            }
            if (result.end() == TrainingResult.End.INTERRUPTED) {
                err.println("train: stopped after step " + result.steps() + " with a checkpoint; continue with: lemmata"
                        + " train '" + directory.resolve(RunDirectory.CONFIG) + "' --out '" + directory + "' --resume");
                return ExitCode.INTERRUPTED;
            }
            report(run, result, environment);
        }
        return ExitCode.CLEAN;
    }

    /** The configuration. Options replace values of the file; overrides replace both. */
    private Configuration configuration() throws IOException {
        Map<String, Path> files = precision
                .file()
                .map(file -> Map.of(PrecisionReader.SECTION.name(), file))
                .orElse(Map.of());
        List<String> all = new ArrayList<>(precision.overrides());
        if (from != null) {
            all.add(RunDirectory.startingFrom(from));
        }
        all.addAll(overrides);
        return Configuration.read(config, files, all, TrainingSections.TRAINING);
    }

    private void prepare(Configuration root) throws IOException {
        Path file = directory.resolve(RunDirectory.CONFIG);
        if (resume && Files.isDirectory(directory)) {
            // A killed run may have left unfinished files.
            AtomicFile.discardLeftovers(directory, RunDirectory.FILES::contains);
            if (Files.exists(file) && Files.size(file) == 0) {
                Files.delete(file);
            }
        }
        if (resume && !OutDirectory.isNewOrEmpty(directory)) {
            Refuse.when(
                    !Files.exists(file),
                    "--resume",
                    "the directory of a run",
                    directory + " without " + RunDirectory.CONFIG);
            root.difference(file, TrainingRun.FREE).ifPresent(difference -> {
                throw new IllegalArgumentException(
                        "--resume: " + difference + "; the settings of the run are in " + file);
            });
            return;
        }
        Files.createDirectories(directory);
        try {
            // Another run may have taken the directory since it was checked.
            Files.createFile(file);
        } catch (FileAlreadyExistsException e) {
            throw new IllegalArgumentException(
                    "--out: expected a directory of one run, got " + directory + ", in which another has begun", e);
        }
        AtomicFile.write(file, root.toYaml());
    }

    private void report(TrainingRun run, TrainingResult result, Map<String, String> environment) throws IOException {
        run.write(directory);
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("task", run.taskName());
        report.put("vocabulary", run.reportedVocabulary());
        report.put("parameters", run.parameterCount());
        report.put("end", result.end().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        report.put("steps", result.steps());
        report.put("tokens", result.tokens());
        report.put("trainLoss", result.trainLoss());
        report.put("bestStep", result.bestStep());
        result.validationLoss().ifPresent(loss -> report.put("validationLoss", loss));
        result.testLoss().ifPresent(loss -> report.put("testLoss", loss));
        run.tested(result).forEach(each -> report.put(each.name(), each.value()));
        OptionalInt testInTraining = run.testInTraining();
        testInTraining.ifPresent(words -> report.put("testInTraining", words));
        report.put("measured", run.measure());
        report.put("seconds", result.seconds());
        report.put("weights", RunDirectory.WEIGHTS);
        report.put("environment", environment);
        AtomicFile.write(directory.resolve(RunDirectory.RESULT), Json.indented(report) + "\n");
        printJson(report, () -> out().println(summary(result, testInTraining)));
    }

    private String summary(TrainingResult result, OptionalInt testInTraining) {
        var summary = new StringBuilder(String.format(
                Locale.ROOT,
                "train: %d steps in %.1f s, loss %.4g",
                result.steps(),
                result.seconds(),
                result.trainLoss()));
        result.validationLoss()
                .ifPresent(loss -> summary.append(String.format(
                        Locale.ROOT, "; best after step %d: validation loss %.4g", result.bestStep(), loss)));
        result.testLoss().ifPresent(loss -> summary.append(String.format(Locale.ROOT, ", test loss %.4g", loss)));
        testInTraining.ifPresent(
                words -> summary.append(", test words in training ").append(words));
        return summary.append("; ")
                .append(directory.resolve(RunDirectory.WEIGHTS))
                .toString();
    }
}
