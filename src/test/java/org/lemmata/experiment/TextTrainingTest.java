package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.cli.CommandLineRun;

/** From text files to a model that continues a text. */
class TextTrainingTest {

    private static final String SMALL = " steps=2 batch=2 task.length=8 model.width=8 model.layers=1"
            + " model.attention.heads=2 data.validation=5 data.test=4 evaluation.every=1 schedule.warm-up=1";

    @TempDir
    private Path directory;

    private Path tokens;

    @BeforeEach
    void tokenizeOurDocuments() throws IOException {
        tokens = directory.resolve("tokens");
        tokenize("--out", tokens.toString());
    }

    private static void tokenize(String... options) throws IOException {
        var words = new ArrayList<String>(List.of("tokenize"));
        words.addAll(List.of(options));
        try (Stream<Path> files = Files.list(Path.of("docs"))) {
            files.map(Path::toString)
                    .filter(file -> file.endsWith(".md"))
                    .sorted()
                    .forEach(words::add);
        }
        CommandLineRun run = CommandLineRun.of(words.toArray(String[]::new)).clean();
        assertThat(run.out())
                .matches("tokens: \\d+ train, \\d+ validation, \\d+ test written to .* with manifest.json\n");
    }

    private CommandLineRun train(String example, Path out, String more) {
        return CommandLineRun.line(
                "train docs/examples/text/%s --out %s task.text=%s" + SMALL + more, example, out, tokens);
    }

    private static JsonNode complete(String text, Path out, String... options) {
        String[] words = Stream.concat(Stream.of("complete", out.toString()), Stream.of(options))
                .toArray(String[]::new);
        return CommandLineRun.withInput(text, words).clean().json();
    }

    @ParameterizedTest
    @ValueSource(strings = {"small-gpt.yaml", "gpt2.yaml"})
    void anExampleTrainsAndGoesOnWithAText(String example) throws IOException {
        Path out = directory.resolve("run");
        JsonNode result = train(example, out, " threads=2 --json").clean().json();
        assertThat(result.get("vocabulary").asText()).isEqualTo("gpt2");
        JsonNode perplexity = result.get("measured").get("perplexity");
        assertThat(Math.log(perplexity.get("validation").asDouble()))
                .isCloseTo(result.get("validationLoss").asDouble(), within(1e-5));
        assertThat(perplexity.get("bigram").asDouble())
                .isBetween(2.0, perplexity.get("unigram").asDouble());
        assertThat(Math.log(perplexity.get("test").asDouble()))
                .isCloseTo(result.get("testLoss").asDouble(), within(1e-5));
        assertThat(perplexity.get("testBigram").asDouble())
                .isBetween(2.0, perplexity.get("testUnigram").asDouble());
        assertThat(CommandLineRun.of("evaluate", out.toString()).clean().out())
                .containsPattern("perplexity.validation [0-9.]+ \\[[0-9.e+]+, [0-9.e+]+\\]  \\(n = 5\\)");
        Path again = directory.resolve("again");
        train(example, again, " threads=1").clean();
        assertThat(Files.mismatch(out.resolve("weights.safetensors"), again.resolve("weights.safetensors")))
                .isEqualTo(-1);
        JsonNode answer = complete("To train a model\n", out, "--length", "7");
        assertThat(answer.get("completion").asText()).startsWith("To train a model");
        assertThat(answer.get("probabilities")).hasSize(3);
        // The task accepts every text.
        assertThat(answer.has("accepted")).isFalse();
        // The training text is not needed for completions.
        Files.delete(tokens.resolve("train.bin"));
        assertThat(complete("To train a model\n", out, "--length", "7")).isEqualTo(answer);
    }

    /** A token that no document contains is known only to the model with all tokens. */
    @Test
    void aModelWithItsOwnVocabularyHasTheTokensOfItsText() throws IOException {
        Path out = directory.resolve("run");
        train("small-gpt.yaml", out, "").clean();
        assertThat(CommandLineRun.withInput("To train a zebra", "complete", out.toString())
                        .refusal())
                .contains("token: expected one of ")
                .endsWith("got 'ebra'");
        JsonNode sampled = complete("To train a model", out, "--sample", "--length", "9");
        assertThat(sampled.get("completion").asText())
                .startsWith("To train a model")
                .doesNotContain("\u0120");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        data.train=8 | data.train: expected online for a text, got a number
        data.distinct=true | data.distinct: expected false for a text, got true
        task.name=parity | task.name: expected none with a text, got one
        data.validation=99999 | data.validation: expected an integer from 0 to
        task.length=999999 | task.length: expected an integer from 1 to
        epochs=2 | epochs: expected none where examples are drawn online, got 2
        """)
    void whatATextDoesNotHaveIsRejected(String override, String message) {
        CommandLineRun run = train("small-gpt.yaml", directory.resolve("run"), " " + override);
        run.refusedWith(message);
        assertThat(directory.resolve("run")).doesNotExist();
    }

    /** With a vocabulary, the files are opened only once tokens are drawn. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        task.length=999999 model.max-length=999999 | lemmata: task.length: expected fewer than the
        data.validation=99999 | data.validation: expected an integer from 0 to
        data.test=50 model.max-length=9000 evaluation.text-lengths=[9000] | lemmata: evaluation.text-lengths: expected lengths with at least 50 test windows (data.test), got 9000, which has
        """)
    void moreThanATextHasIsRejectedBeforeTheRun(String override, String message) {
        Path out = directory.resolve("run");
        CommandLineRun run =
                train("small-gpt.yaml", out, " task.own-vocabulary=false task.vocabulary=gpt2 " + override);
        run.refusedWith(message);
        assertThat(out.resolve("curve.jsonl")).doesNotExist();
    }

    @Test
    void aWindowLongerThanTheTestTextIsRejected() throws IOException {
        Path texts = Files.createDirectory(directory.resolve("texts"));
        Files.writeString(texts.resolve("train.txt"), "a text for training");
        Files.writeString(texts.resolve("test.txt"), "x".repeat(49));
        tokens = directory.resolve("short");
        CommandLineRun.clean("tokenize %s --bytes --out %s", texts, tokens);
        Path out = directory.resolve("run");
        train(
                        "small-gpt.yaml",
                        out,
                        " task.own-vocabulary=false data.validation=0 data.test=1 model.max-length=50"
                                + " evaluation.text-lengths=[50]")
                .refused("evaluation.text-lengths: expected lengths below the 50 tokens of the test text, got 50");
        assertThat(out).doesNotExist();
    }

    @Test
    void aTextWithoutASecondTokenIsRejected() throws IOException {
        tokens = Files.createDirectory(directory.resolve("short"));
        Files.write(tokens.resolve("train.bin"), new byte[2]);
        Files.createFile(tokens.resolve("val.bin"));
        assertThat(train("small-gpt.yaml", directory.resolve("run"), " task.own-vocabulary=false")
                        .refusal())
                .endsWith("task.text: expected at least 2 tokens of the split train, got 1");
    }

    @Test
    void aMissingTokenFileIsNamedWithTheReason() throws IOException {
        Path train = tokens.resolve("train.bin");
        Files.delete(train);
        train("small-gpt.yaml", directory.resolve("run"), " task.vocabulary=gpt2")
                .refused(train + ": expected a file, got none");
    }

    @Test
    void tokensOfNoVocabularyStopTheRun() throws IOException {
        byte[] bytes = Files.readAllBytes(tokens.resolve("val.bin"));
        bytes[1] = (byte) 0xFF;
        bytes[0] = (byte) 0xFF;
        Files.write(tokens.resolve("val.bin"), bytes);
        train("small-gpt.yaml", directory.resolve("run"), "")
                .refused(tokens.resolve("val.bin") + ": token 0: expected an id from 0 to 50256, got 65535");
    }

    @Test
    void aPlaceThatIsNotThereIsRejected() {
        CommandLineRun.line("tokenize %s --out %s", directory.resolve("none"), directory.resolve("out"))
                .refused(directory.resolve("none") + ": expected a file or a directory, got none");
    }

    /** The start token is not part of a window, so the number of scored tokens is the same with it. */
    @Test
    void bytesAreLearnedAndTestedOnLongerWindows() throws IOException {
        Path bytes = directory.resolve("bytes");
        tokenize("--bytes", "--out", bytes.toString());
        Path out = directory.resolve("run");
        tokens = bytes;
        String longer = " task.own-vocabulary=false data.start=true model.max-length=12"
                + " evaluation.text-lengths=[8,11] --json";
        JsonNode result = train("small-gpt.yaml", out, longer).clean().json();
        assertThat(result.get("vocabulary").asText()).isEqualTo("bytes");
        JsonNode perplexity = result.get("measured").get("perplexity");
        assertThat(perplexity.get("test.8").asDouble())
                .isEqualTo(perplexity.get("test").asDouble());
        assertThat(perplexity.get("test.11").asDouble()).isBetween(200.0, 300.0);
        assertThat(complete("caf\u00e9", out, "--length", "7").get("completion").asText())
                .startsWith("caf\u00e9");
        train("small-gpt.yaml", directory.resolve("other"), " data.start=true evaluation.text-lengths=[9]")
                .refused("command line: evaluation.text-lengths: expected at most the 9 positions of the model"
                        + " (model.max-length), got 10");
    }

    @Test
    void aTextOfAnotherHashStopsTheRun() {
        String hash = "0".repeat(64);
        train("small-gpt.yaml", directory.resolve("run"), " task.sha256=" + hash)
                .refusedWith(tokens + ": expected tokens with the SHA-256 " + hash + ", got ");
    }
}
