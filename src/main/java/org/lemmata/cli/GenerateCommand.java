package org.lemmata.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.dataset.DataSetFormat;
import org.lemmata.dataset.DataSetWriter;
import org.lemmata.setting.Catalogue;
import org.lemmata.task.Task;
import org.lemmata.task.Tasks;
import org.lemmata.train.Split;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "generate",
        description = {
            "Draw a data set from a task.",
            "Writes the splits and a manifest with sizes, seeds, histograms and the overlap of the splits."
        },
        footer = {
            "  lemmata generate dyck-words -p N=8 -n 1000 --test 100 --out data",
            "  lemmata generate simple-task -n 1000 --format tok --out tokens"
        })
final class GenerateCommand extends JsonCommand {

    @Parameters(paramLabel = "TASK", description = "A task that `lemmata tasks` lists.")
    private String name;

    @Option(names = "-p", paramLabel = "NAME=VALUE", description = "Set a setting of the task.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(names = "-n", required = true, paramLabel = "N", description = "Examples of the split train.")
    private int train;

    @Option(
            names = "--validation",
            paramLabel = "N",
            defaultValue = "0",
            description = "Examples of the split validation (default: ${DEFAULT-VALUE}).")
    private int validation;

    @Option(
            names = "--test",
            paramLabel = "N",
            defaultValue = "0",
            description = "Examples of the split test (default: ${DEFAULT-VALUE}).")
    private int test;

    @Option(
            names = "--out-of-sample",
            paramLabel = "N",
            defaultValue = "0",
            description = "Examples of the split outOfSample, which the task holds out (default: ${DEFAULT-VALUE}).")
    private int outOfSample;

    @Option(
            names = "--prefixes",
            paramLabel = "N",
            defaultValue = "0",
            description = "Examples of the split prefixes: starts of bracket words to complete (default: "
                    + "${DEFAULT-VALUE}). With prefixes, -n may be 0.")
    private int prefixes;

    @Option(names = "--prefix-depth", paramLabel = "DEPTH", description = "The minimum depth of a prefix (default: 1).")
    private @Nullable Integer prefixDepth;

    @Option(names = "--distinct", description = "Draw no example or prefix twice, across all splits.")
    private boolean distinct;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "Random seed of the splits (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--format",
            defaultValue = "jsonl",
            description = "jsonl, tok, or txt for words of brackets (default: ${DEFAULT-VALUE}).")
    private DataSetFormat format;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "A directory that is new or empty.")
    private Path directory;

    @Override
    public Integer call() throws IOException {
        Refuse.below("--prefixes", prefixes, 0);
        Refuse.below("-n", train, prefixes > 0 ? 0 : 1);
        Refuse.below("--validation", validation, 0);
        Refuse.below("--test", test, 0);
        Refuse.below("--out-of-sample", outOfSample, 0);
        Refuse.when(prefixDepth != null && prefixes == 0, "--prefix-depth", "some --prefixes with it", "none");
        int depth = prefixDepth == null ? 1 : prefixDepth;
        Refuse.below("--prefix-depth", depth, 1);
        Map<Split, Integer> sizes = new EnumMap<>(Map.of(
                Split.TRAIN, train,
                Split.VALIDATION, validation,
                Split.TEST, test,
                Split.OUT_OF_SAMPLE, outOfSample));
        Catalogue.Entry<Task> entry = Tasks.CATALOGUE.entry(name);
        Task task = entry.create(settings);
        requireJsonPlace();
        var writer = new DataSetWriter(task, entry.resolved(settings), format, directory);
        var plan = new DataSetWriter.Plan(sizes, prefixes, depth, distinct, seed);
        Map<String, Object> manifest = OutDirectory.fill(directory, () -> writer.write(plan));
        String text = task.name() + ": " + written(sizes) + " written to " + directory + " with manifest.json";
        printJson(manifest, () -> out().println(text));
        return ExitCode.CLEAN;
    }

    private String written(Map<Split, Integer> sizes) {
        Stream<String> splits = sizes.entrySet().stream()
                .map(split -> split.getValue() + " " + split.getKey().label());
        return Stream.concat(splits, Stream.of(prefixes + " " + DataSetWriter.PREFIXES))
                .filter(text -> !text.startsWith("0 "))
                .collect(Collectors.joining(", "));
    }
}
