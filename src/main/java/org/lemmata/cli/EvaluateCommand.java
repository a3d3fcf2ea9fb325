package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.config.Configuration;
import org.lemmata.experiment.SplitAnswers;
import org.lemmata.experiment.TrainingRun;
import org.lemmata.experiment.WeightsEvaluation;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "evaluate",
        description = {
            "Measure trained weights on a task or a data set.",
            "Like `train`, computes the losses and the measures in the configuration's section evaluation."
        },
        footer = {"  lemmata evaluate run", "  lemmata evaluate run task.settings.N=32 --format bfloat16"})
final class EvaluateCommand extends JsonCommand {

    private static final String PLACE = "%-12s %6s %8s";
    private static final String NUMBER = "  %9s";
    private static final String INTERVAL = "  %-24s";

    private static final Set<String> WITH_INTERVALS = Set.of("exact", "accuracy", "margin");

    @Parameters(
            index = "0",
            paramLabel = "RUN|WEIGHTS",
            description = "The directory of a run, whose config.yaml lists the measures, or a safetensors file.")
    private Path place;

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "KEY=VALUE",
            description = "Override a key of config.yaml, such as task.settings.N=32 or evaluation.completions=1000.")
    private List<String> overrides = new ArrayList<>();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Measure on a data set instead of the task: losses and accuracy by split and length.")
    private @Nullable Path data;

    @Mixin
    private PrecisionOptions precision = new PrecisionOptions();

    @Override
    public Integer call() throws IOException {
        requireJsonPlace();
        List<String> all = new ArrayList<>(precision.overrides());
        all.addAll(overrides);
        Configuration root = WeightsEvaluation.of(place, Optional.ofNullable(data), precision.file(), all);
        try (TrainingRun run = TrainingRun.of(root)) {
            List<Measurement> measured = new ArrayList<>(run.evaluate(data != null));
            List<SplitAnswers> answers = data == null && !run.asksForAnswers() ? List.of() : run.answers();
            List<Measurement> ofAnswers = answers.stream()
                    .flatMap(row -> row.measured().values().stream())
                    .toList();
            measured.removeAll(ofAnswers);
            if (isJson()) {
                measured.addAll(ofAnswers);
                printJson(report(run, measured));
            } else {
                measured.forEach(each -> out().println(line(each)));
                print(out(), answers);
                if (run.lacksTrainingAnswers()) {
                    out().println("majority, position: counted on each split itself: the data set has no split train");
                }
            }
        }
        return ExitCode.CLEAN;
    }

    private Map<String, Object> report(TrainingRun run, List<Measurement> measured) {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("weights", place.toString());
        report.put("task", run.taskName());
        report.put("parameters", run.parameterCount());
        report.put("precision", run.precision().label());
        measured.stream().filter(each -> !each.name().contains(".")).forEach(each -> {
            report.put(each.name(), each.value());
        });
        report.put("measured", TrainingRun.byKind(measured));
        report.put("environment", environment(run.kernels()));
        return report;
    }

    private static String line(Measurement each) {
        Interval interval = each.interval();
        String range = interval.low() == interval.high()
                ? ""
                : String.format(Locale.ROOT, " [%.4g, %.4g]", interval.low(), interval.high());
        return String.format(
                Locale.ROOT, "%s %.6g%s %s (n = %d)", each.name(), each.value(), range, each.unit(), each.n());
    }

    /**
     * Prints correct answers of the model and of trivial baselines: one table per split, with a row for all its
     * examples, then one row per length.
     */
    private static void print(PrintWriter out, List<SplitAnswers> rows) {
        for (SplitAnswers row : rows) {
            if (row.length().isEmpty()) {
                String titles = row.measured().keySet().stream()
                        .map(kind -> String.format(Locale.ROOT, column(kind), kind))
                        .collect(Collectors.joining());
                out.println();
                out.println(
                        (String.format(Locale.ROOT, PLACE, "split", "length", "examples") + titles).stripTrailing());
            }
            String values = row.measured().entrySet().stream()
                    .map(each ->
                            String.format(Locale.ROOT, column(each.getKey()), text(each.getKey(), each.getValue())))
                    .collect(Collectors.joining());
            String length = row.length().isEmpty()
                    ? "all"
                    : Integer.toString(row.length().getAsInt());
            long examples = row.measured().firstEntry().getValue().n();
            out.println((String.format(Locale.ROOT, PLACE, row.split(), length, examples)
                            + values
                            + (row.isLearned() ? "" : "not learned"))
                    .stripTrailing());
        }
    }

    private static String column(String kind) {
        return WITH_INTERVALS.contains(kind) ? INTERVAL : NUMBER;
    }

    private static String text(String kind, Measurement each) {
        return WITH_INTERVALS.contains(kind)
                ? String.format(
                        Locale.ROOT,
                        "%.3f [%.3f, %.3f]",
                        each.value(),
                        each.interval().low(),
                        each.interval().high())
                : String.format(Locale.ROOT, "%.4g", each.value());
    }
}
