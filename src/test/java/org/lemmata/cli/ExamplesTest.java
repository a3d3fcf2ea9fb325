package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every configuration under docs/examples runs. */
public class ExamplesTest {

    private static final List<String> SMALL = List.of(
            "steps=2",
            "batch=2",
            "accumulate=2",
            "threads=1",
            "data.train=8",
            "data.validation=3",
            "data.test=3",
            "evaluation.every=1");

    /** Overrides that make an example small where the common ones do not. */
    private static final Map<String, List<String>> OWN = Map.of(
            "boolean.yaml",
            List.of("evaluation.questions=3", "schedule.warm-up=1"),
            "depth.yaml",
            List.of("model.width=16", "model.feed-forward.hidden=32", "evaluation.completions=3"),
            "depth-quick.yaml",
            List.of("evaluation.completions=3", "schedule.warm-up=1"),
            "depth-quick-bfloat16.yaml",
            List.of("evaluation.completions=3", "schedule.warm-up=1"),
            "length.yaml",
            List.of("evaluation.lengths=[20]", "evaluation.sequences=4"),
            "length-mod-p.yaml",
            List.of("evaluation.lengths=[50]", "evaluation.attention=10", "evaluation.sequences=4"),
            "length-limit.yaml",
            List.of("evaluation.lengths=[50]", "evaluation.attention=10", "evaluation.sequences=4"),
            "hierarchy.yaml",
            List.of("task.settings.maxLength=20", "evaluation.law-lengths=[10,24]", "evaluation.sequences=4"),
            "parity.yaml",
            List.of("schedule.warm-up=1"));

    @TempDir
    private Path directory;

    public static Stream<Path> examples() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("docs/examples"))) {
            return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream();
        }
    }

    /** The command line that trains an example for two steps. */
    public static String[] words(Path example, Path out) {
        List<String> words = new ArrayList<>(List.of("train", example.toString(), "--out", out.toString()));
        words.addAll(SMALL);
        words.addAll(OWN.getOrDefault(String.valueOf(example.getFileName()), List.of()));
        return words.toArray(String[]::new);
    }

    @ParameterizedTest
    @MethodSource("examples")
    void anExampleRuns(Path example) {
        Path out = directory.resolve("run");
        CommandLineRun run = CommandLineRun.of(words(example, out)).clean();
        assertThat(run.out()).startsWith("train: 2 steps in ");
        assertThat(out.resolve("weights.safetensors")).exists();
    }
}
