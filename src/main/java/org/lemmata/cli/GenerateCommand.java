package org.lemmata.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.lemmata.setting.Catalogue;
import org.lemmata.task.Task;
import org.lemmata.task.Tasks;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Draws a data set from a task. */
@Command(name = "generate", description = "Draws a data set from a task and writes it with a manifest.")
final class GenerateCommand implements Callable<Integer> {

    @Parameters(paramLabel = "TASK", description = "One of those that `lemmata tasks` lists.")
    private String name;

    @Option(names = "-p", paramLabel = "NAME=VALUE", description = "A setting of the task.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(names = "-n", required = true, paramLabel = "N", description = "Examples of the split train.")
    private int train;

    @Option(
            names = "--test",
            paramLabel = "N",
            defaultValue = "0",
            description = "Examples of the split test; 0 by default.")
    private int test;

    @Option(
            names = "--out-of-sample",
            paramLabel = "N",
            defaultValue = "0",
            description = "Examples of the split outOfSample, of what the task holds out; 0 by default.")
    private int outOfSample;

    @Option(
            names = "--seed",
            defaultValue = "1",
            description = "The seed that the splits' seeds follow from; 1 by default.")
    private long seed;

    @Option(names = "--format", defaultValue = "jsonl", description = "jsonl (default) or tok.")
    private DataSetWriter.Format format;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "A directory that is new or empty.")
    private Path directory;

    @Option(names = "--json", description = "Print the manifest.")
    private boolean json;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        atLeast("-n", train, 1);
        atLeast("--test", test, 0);
        atLeast("--out-of-sample", outOfSample, 0);
        Catalogue.Entry<Task> entry = Tasks.CATALOGUE.entry(name);
        Task task = entry.create(settings);
        if (outOfSample > 0 && task.outOfSample().isEmpty()) {
            throw new IllegalArgumentException(
                    "--out-of-sample: expected 0 for a task that holds nothing out, got " + outOfSample);
        }
        Map<String, Integer> splits = new LinkedHashMap<>();
        splits.put("train", train);
        splits.put("test", test);
        splits.put(DataSetWriter.OUT_OF_SAMPLE, outOfSample);
        Map<String, Object> manifest = new DataSetWriter(task, entry.effective(settings), format, directory).write(splits, seed);
        spec.commandLine()
                .getOut()
                .println(
                        json
                                ? Json.indented(manifest)
                                : task.name() + ": " + written(splits) + " written to " + directory
                                        + " with manifest.json");
        return ExitCode.CLEAN;
    }

    private static Map<String, Integer> written(Map<String, Integer> splits) {
        var written = new LinkedHashMap<>(splits);
        written.values().removeIf(count -> count == 0);
        return written;
    }

    private static void atLeast(String option, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(option + ": expected at least " + least + ", got " + value);
        }
    }
}
