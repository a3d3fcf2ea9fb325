package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.lemmata.cli.SavedModelTest.answer;
import static org.lemmata.cli.SavedModelTest.numbers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import it.unimi.dsi.fastutil.longs.LongList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.Architecture;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.ModelCase;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.model.Transformer;
import org.lemmata.model.file.Gpt2Weights;
import org.lemmata.model.file.ModelConfig;
import org.lemmata.model.file.SafeTensorsWriter;
import org.lemmata.model.file.TensorContent;
import org.lemmata.model.file.Weights;
import org.lemmata.model.file.WideWeights;
import org.lemmata.token.Batch;
import org.lemmata.token.Vocabulary;

/**
 * {@code complete} and {@code logits} with weights that no run of Lemmata trained, and the logits of docs/forward.py,
 * an independent implementation that reads the same files.
 */
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

    /** Tensor names, config.json and token ids are those of Hugging Face. */
    @Test
    void theGpt2OfOthersIsRead() throws IOException {
        var random = new Random(3);
        List<TensorContent> tensors = new ArrayList<>();
        add(tensors, random, "wte.weight", 11, 12);
        add(tensors, random, "wpe.weight", 9, 12);
        for (String norm : List.of("h.0.ln_1", "h.0.ln_2", "ln_f")) {
            add(tensors, random, norm + ".weight", 12);
            add(tensors, random, norm + ".bias", 12);
        }
        Map<String, int[]> maps = Map.of(
                "h.0.attn.c_attn", new int[] {12, 36},
                "h.0.attn.c_proj", new int[] {12, 12},
                "h.0.mlp.c_fc", new int[] {12, 20},
                "h.0.mlp.c_proj", new int[] {20, 12});
        maps.forEach((name, shape) -> {
            add(tensors, random, name + ".weight", shape[0], shape[1]);
            add(tensors, random, name + ".bias", shape[1]);
        });
        Path file = directory.resolve("model.safetensors");
        SafeTensorsWriter.write(file, Map.of("format", "pt"), tensors);
        Path config = Files.writeString(directory.resolve("config.json"), "{\"n_head\": 3}");
        int[] ids = {3, 10, 0};
        double[] expected = new Transformer(Gpt2Weights.read(file), Kernels.best()).lastLogits(Batch.of(List.of(ids)));
        assertThat(numbers(answer("3 10 0", "logits", directory.toString()).get("logits")))
                .containsExactly(expected);
        String completion = answer("3 10 0", "complete", directory.toString())
                .get("completion")
                .textValue();
        assertThat(completion).matches("3 10 0( \\d+){6}");
        String next = completion.split(" ", -1)[3];
        for (String end : List.of(next, "[" + next + "]", "[999, " + next + "]")) {
            Files.writeString(config, "{\"n_head\": 3, \"eos_token_id\": " + end + "}");
            assertThat(answer("3 10 0", "complete", file.toString())
                            .get("completion")
                            .textValue())
                    .isEqualTo("3 10 0 " + next);
        }
        assertThat(CommandLineRun.withInput("3 11\n", "complete", file.toString())
                        .out())
                .isEqualTo("{\"input\":\"3 11\",\"error\":\"token: expected an id from 0 to 10, got '11'\"}\n");
        Files.move(file, directory.resolve("renamed"), StandardCopyOption.REPLACE_EXISTING);
        CommandLineRun.of("complete", directory.toString())
                .refused(directory
                        + ": expected weights.safetensors, or model.safetensors, in this directory, got neither");
    }

    private static void add(List<TensorContent> tensors, Random random, String name, long... shape) {
        long size = 1;
        for (long extent : shape) {
            size *= extent;
        }
        float[] values = new float[(int) size];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) (0.5 * random.nextGaussian());
        }
        tensors.add(new TensorContent("transformer." + name, LongList.of(shape), values, 0));
    }

    /** Binary32 cannot represent 1 + 2^-40, so the model runs in binary64. */
    @Test
    void weightsThatTakeMoreBitsRunInBinary64() throws IOException {
        var parameters = new ExactParameters(Architecture.uniformHead(2, 4, 2, false));
        for (int i = 0; i < parameters.values().length; i++) {
            parameters.values()[i] = i % 3 == 0 ? 1 + 0x1p-40 : i;
        }
        Path file = directory.resolve("wide.safetensors");
        WideWeights.write(file, parameters);
        double[] exact = new ReferenceTransformer(parameters).lastLogits(Batch.of(List.of(new int[] {0, 1})));
        assertThat(numbers(answer("0 1", "logits", file.toString()).get("logits")))
                .containsExactly(exact);
        assertThat(numbers(answer("0 1", "logits", file.toString(), "--format", "binary32")
                        .get("logits")))
                .isNotEqualTo(exact);
    }
}
