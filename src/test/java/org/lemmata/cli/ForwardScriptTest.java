package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.model.ModelCase;
import org.lemmata.model.file.ModelConfig;
import org.lemmata.model.file.Weights;
import org.lemmata.token.Vocabulary;

/** docs/forward.py, an independent implementation that reads the same files, computes the logits of {@code logits}. */
class ForwardScriptTest {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** Runs {@code docs/forward.py} for many models in one process. */
    private static final String DRIVER = """
        import json, sys
        import forward
        for line in sys.stdin:
            directory, ids = line.rstrip("\\n").split("\\t")
            config = json.load(open(directory + "/config.json"))
            weights = forward.tensors(directory + "/weights.safetensors")
            ids = [int(id) for id in ids.split()]
            print(json.dumps(forward.forward(config["lemmata.architecture"], weights, ids).tolist()))
        """;

    @TempDir
    private Path directory;

    private static Optional<String> python() throws IOException, InterruptedException {
        for (String python : List.of("python3", "/usr/bin/python3")) {
            try {
                Process process = new ProcessBuilder(python, "-c", "import numpy")
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                if (process.waitFor() == 0) {
                    return Optional.of(python);
                }
            } catch (IOException e) {
                // No such program.
            }
        }
        return Optional.empty();
    }

    private List<String> run(int code, String input, String... command) throws IOException, InterruptedException {
        Path in = Files.writeString(directory.resolve("in"), input);
        Path out = directory.resolve("out");
        var builder = new ProcessBuilder(command)
                .directory(Path.of("docs").toFile())
                .redirectErrorStream(true)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        Process process = builder.start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(out)).isEqualTo(code);
        return Files.readAllLines(out);
    }

    private static void assertSame(JsonNode answer, JsonNode theirs, double tolerance, String of) {
        JsonNode ours = answer.has("values") ? answer.get("values") : answer.get("logits");
        List<JsonNode> rows = new ArrayList<>();
        ours.elements().forEachRemaining(rows::add);
        assertThat(theirs).as(of).hasSize(rows.size()).isNotEmpty();
        for (int t = 0; t < rows.size(); t++) {
            JsonNode row = rows.get(t);
            for (int column = 0; column < Math.max(1, row.size()); column++) {
                double expected = row.isArray() ? row.get(column).doubleValue() : row.doubleValue();
                assertThat(theirs.get(t).get(column).doubleValue())
                        .as("%s, position %d, column %d", of, t, column)
                        .isCloseTo(expected, within(tolerance * Math.max(1, Math.abs(expected))));
            }
        }
    }

    @Test
    @Tag("long")
    void everyOptionOfTheArchitectureIsComputedAlike() throws IOException, InterruptedException {
        Optional<String> python = python();
        if (python.isEmpty()) {
            System.err.println("[WARNING] docs/forward.py was NOT compared with `logits`: no python3 with numpy");
        }
        assumeTrue(python.isPresent(), "no python3 with numpy: docs/forward.py was not run");
        List<ModelCase> alone = ModelCase.alone().toList();
        List<ModelCase> cases =
                Stream.concat(alone.stream(), ModelCase.drawn(40)).toList();
        List<JsonNode> ours = new ArrayList<>();
        List<JsonNode> exact = new ArrayList<>();
        var input = new StringBuilder();
        for (int i = 0; i < cases.size(); i++) {
            ModelCase one = cases.get(i);
            Path own = Files.createDirectory(directory.resolve("" + i));
            Weights.write(own.resolve("weights.safetensors"), one.parameters());
            List<String> symbols = IntStream.range(0, one.architecture().vocabularySize())
                    .mapToObj(Integer::toString)
                    .toList();
            ModelConfig.write(own, one.architecture(), new Vocabulary(symbols));
            String sequence = Arrays.stream(one.sequence(17, new Random(i)))
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining(" "));
            ours.add(logits(sequence, own));
            exact.add(logits(sequence, own, "--format", "binary64"));
            input.append(own).append('\t').append(sequence).append('\n');
        }
        List<String> theirs = run(0, input.toString(), python.get(), "-c", DRIVER);
        assertThat(theirs).hasSize(cases.size());
        for (int i = 0; i < cases.size(); i++) {
            JsonNode theirsOne = MAPPER.readTree(theirs.get(i));
            // The numbers of config.json have only the digits of binary32.
            assertSame(exact.get(i), theirsOne, 1e-6, cases.get(i).toString());
            if (i < alone.size()) {
                assertSame(ours.get(i), theirsOne, 1e-5, cases.get(i).toString());
            }
        }
        // The command of the documentation.
        Path first = directory.resolve("0");
        List<String> called = run(0, "3 1 2\n312\n", python.get(), "forward.py", first.toString());
        assertThat(called).hasSize(2);
        for (String line : called) {
            assertSame(logits("3 1 2", first), MAPPER.readTree(line), 1e-5, "forward.py");
        }
        List<String> refused = run(1, "3 x 2\n", python.get(), "forward.py", first.toString());
        assertThat(refused).hasSize(1);
        assertThat(refused.getFirst()).startsWith("forward.py: expected 0 1 2 ").endsWith(", got 'x'");
    }

    private static JsonNode logits(String sequence, Path run, String... options) throws IOException {
        String line = "logits %s --each " + String.join(" ", options);
        return CommandLineRun.lineWithInput(sequence + "\n", line, run).clean().json();
    }

    /** The script fits on a page, so that readers can check it. */
    @Test
    void itIsShort() throws IOException {
        assertThat(Files.readAllLines(Path.of("docs/forward.py"))).hasSizeLessThanOrEqualTo(80);
    }
}
