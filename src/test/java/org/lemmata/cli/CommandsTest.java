package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.kernel.Kernels;
import org.lemmata.task.depth.DyckWords;

class CommandsTest {

    @TempDir
    private Path directory;

    /** 46 openings, a plateau of 16 pairs of each type, 46 closings: tf32 rejects the word, and binary32 once did. */
    @Test
    void aFormatThatIsTooNarrowIsRunIfForced() {
        String word = "(1 ".repeat(46) + "(1 )1 (2 )2 ".repeat(16) + ")1 ".repeat(46);
        String[] arguments = {"run", "dyck-recognizer", "-p", "maxLength=156"};
        assertThat(CommandLineRun.withInput(word, arguments).quiet().out()).contains("\"member\":true");
        String[] forced = {"run", "dyck-recognizer", "-p", "maxLength=156", "--format", "tf32", "--force"};
        assertThat(CommandLineRun.withInput(word, forced).quiet().out()).contains("\"member\":false");
    }

    @Test
    void versionIsOneLine() {
        assertThat(CommandLineRun.of("--version").quiet().outLines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("lemmata ");
    }

    @Test
    void completionsHaveScoresAndProbabilitiesAStep() throws IOException {
        CommandLineRun run = CommandLineRun.lineWithInput(
                        "(\n\n  (((  \n(())()\n", "run dyck-completion -p word=(())()")
                .quiet();
        assertThat(run.outLines()).hasSize(4);
        JsonNode first = run.answers().get(0);
        assertThat(first.properties().stream().map(Map.Entry::getKey))
                .containsExactly("input", "completion", "balanced", "scores", "openProbabilities");
        assertThat(first.get("completion").asText()).isEqualTo("(())()");
        assertThat(first.get("balanced").booleanValue()).isTrue();
        assertThat(first.get("scores")).hasSize(5);
        assertThat(first.get("openProbabilities")).hasSize(5);
        // N = 3, v = -19: X = v / r (Delta_r(z) - Delta_r(s) + gamma E), here 9.5 / r with the sign of s_{r + 1}.
        assertThat(first.get("scores").get(0).doubleValue()).isEqualTo(9.5);
        assertThat(first.get("scores").get(1).doubleValue()).isEqualTo(-4.75);
        assertThat(first.get("openProbabilities").get(1).doubleValue()).isEqualTo(1 / (1 + Math.exp(9.5)));
        JsonNode empty = run.answers().get(1);
        assertThat(empty.get("forced").asText()).isEqualTo("(");
        assertThat(empty.get("completion").asText()).isEqualTo("(())()");
        JsonNode deep = run.answers().get(2);
        assertThat(deep.get("input").asText()).isEqualTo("  (((  ");
        assertThat(deep.get("completion").asText()).isEqualTo("((()))");
        JsonNode whole = run.answers().get(3);
        assertThat(whole.get("completion").asText()).isEqualTo("(())()");
        assertThat(whole.get("scores")).isEmpty();
    }

    @Test
    void theModelWithoutPositionsClosesThenRepeats() throws IOException {
        CommandLineRun run = CommandLineRun.lineWithInput("((\n", "run dyck-completion-without-positions -p N=4")
                .quiet();
        assertThat(run.json().get("completion").asText()).isEqualTo("(())()()");
    }

    @Test
    void severalBracketTypesAreClosedByTheirOwn() throws IOException {
        CommandLineRun run = CommandLineRun.withInput(
                        "(2 (1\n(1 (2\n\n", "run", "dyck-completion-of-types", "-p", "word=(1 (2 )2 (1 )1 )1")
                .quiet();
        assertThat(run.outLines()).hasSize(3);
        JsonNode first = run.answers().get(0);
        assertThat(first.properties().stream().map(Map.Entry::getKey))
                .containsExactly("input", "completion", "balanced", "probabilities");
        assertThat(first.get("completion").asText()).isEqualTo("(2 (1 )1 (1 )1 )2");
        assertThat(first.get("balanced").booleanValue()).isTrue();
        // The score of closing is 9.5 / 2, of opening its negative; the right type adds 3. The sum has four tokens.
        double probability = 1 / (1 + Math.exp(-3) + Math.exp(-9.5) + Math.exp(-12.5));
        assertThat(first.get("probabilities")).hasSize(4);
        assertThat(first.get("probabilities").get(0).doubleValue()).isCloseTo(probability, within(1e-6));
        assertThat(run.answers().get(1).get("completion").asText()).isEqualTo("(1 (2 )2 (1 )1 )1");
        JsonNode empty = run.answers().get(2);
        assertThat(empty.get("forced").asText()).isEqualTo("(1");
        assertThat(empty.get("completion").asText()).isEqualTo("(1 (2 )2 (1 )1 )1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sequence-memorization", "sequence-memorization-by-projection"})
    void sequencesAreCompletedFromEveryPrefix(String construction) throws IOException {
        String[] arguments = {"run", construction, "-p", "sequence=to be or not to be", "-p", "others=that is"};
        CommandLineRun run = CommandLineRun.withInput("to\nto be or not\n\nbe that\n", arguments)
                .quiet();
        assertThat(run.outLines()).hasSize(4);
        for (String line : run.outLines().subList(0, 3)) {
            JsonNode answer = CommandLineRun.json(line);
            assertThat(answer.get("completion").asText()).isEqualTo("to be or not to be");
            assertThat(answer.get("memorized").booleanValue()).isTrue();
            assertThat(answer.get("probabilities"))
                    .isNotEmpty()
                    .allSatisfy(
                            probability -> assertThat(probability.doubleValue()).isBetween(0.999, 1.0));
        }
        assertThat(run.answers().get(2).get("forced").asText()).isEqualTo("to");
        JsonNode other = run.answers().get(3);
        assertThat(other.get("completion").asText()).startsWith("be that ");
        assertThat(other.get("memorized").booleanValue()).isFalse();
    }

    @Test
    void theTasksOfLengthGeneralizationAreAnsweredByTheirValue() throws IOException {
        CommandLineRun simple = CommandLineRun.lineWithInput(
                        "0 0 1 2 2\n2\n", "run simple-task -p omega=1 -p knots=17 -p p=10")
                .quiet();
        JsonNode first = simple.answers().get(0);
        assertThat(first.properties().stream().map(Map.Entry::getKey)).containsExactly("input", "value", "target");
        assertThat(first.get("value").doubleValue()).isCloseTo(0.32664967247553955, within(1e-14));
        assertThat(first.get("target").doubleValue()).isEqualTo(Math.sin(1.0 / 3));
        assertThat(simple.answers().get(1).get("value").doubleValue()).isCloseTo(0, within(1e-14));
        String[] arguments = {"run", "mod-p-task", "-p", "period=3", "-p", "index=1"};
        CommandLineRun modP =
                CommandLineRun.withInput("1 1 0  0 1 0 1\n", arguments).quiet();
        assertThat(modP.json().get("value").doubleValue()).isEqualTo(2.0 / 3);
        assertThat(modP.json().get("target").doubleValue()).isEqualTo(2.0 / 3);
        String[] rounded = {"run", "mod-p-task", "-p", "period=3", "-p", "bits=8", "--format", "bfloat16"};
        assertThat(CommandLineRun.withInput("1 1 0 0 1 0 1\n", rounded)
                        .quiet()
                        .json()
                        .get("value")
                        .doubleValue())
                .isEqualTo(0.66796875);
    }

    @Test
    void whatIsNoInputOfATaskIsOneLinesError() throws IOException {
        CommandLineRun run = CommandLineRun.lineWithInput("0 3\n\n0 1 0\n0 1\n", "run simple-task -p maxLength=2")
                .exits(ExitCode.USAGE);
        assertThat(run.answers().get(0).get("error").asText()).isEqualTo("symbol: expected one of 0 1 2, got '3'");
        assertThat(run.answers().get(1).get("error").asText()).isEqualTo("expected at least 1 token, got none");
        assertThat(run.answers().get(2).get("error").asText()).isEqualTo("expected at most 2 tokens, got 3");
        assertThat(run.answers().get(3).get("value").doubleValue()).isCloseTo(0, within(1e-14));
    }

    @Test
    void tokensThatAreNotThereAreOneLinesError() throws IOException {
        CommandLineRun run = CommandLineRun.withInput(
                        "b c\na b a\na\n", "run", "sequence-memorization", "-p", "sequence=a b")
                .exits(ExitCode.USAGE);
        assertThat(run.answers().get(0).get("error").asText()).isEqualTo("symbol: expected one of a b, got 'c'");
        assertThat(run.answers().get(1).get("error").asText()).isEqualTo("prefix: expected at most 2 tokens, got 3");
        assertThat(run.answers().get(2).get("completion").asText()).isEqualTo("a b");
        CommandLineRun brackets =
                CommandLineRun.withInput("(1 )2\n(1 (1\n", "run", "dyck-completion-of-types", "-p", "word=(1 )1");
        assertThat(brackets.answers().get(0).get("error").asText())
                .isEqualTo("position 2: expected )1 or an opening bracket, got )2");
        assertThat(brackets.answers().get(1).get("error").asText())
                .isEqualTo("position 2: expected at most 0 brackets open, got 2, which 2 brackets cannot balance");
    }

    @Test
    void samplesFollowTheirSeed() {
        String input = "((\n".repeat(50);
        String line = "run dyck-completion -p word=()()()() -p sample=true -p v=-33 -p gamma=-0.5 -p seed=3";
        String out = CommandLineRun.lineWithInput(input, line).clean().out();
        assertThat(CommandLineRun.lineWithInput(input, line).clean().out()).isEqualTo(out);
    }

    @ParameterizedTest
    @CsvSource({"binary32, false", "binary32, true", "binary16, false", "binary64, true", "threshold(20), false"})
    void formatsThatHoldTheConstructionCompleteAlike(String format, boolean sums) throws IOException {
        CommandLineRun run = CommandLineRun.lineWithInput(
                        "((\n", "run dyck-completion -p word=(()()) --format %s %s", format, sums ? "--sums" : "")
                .clean();
        assertThat(run.json().get("completion").asText()).isEqualTo("(()())");
    }

    private CommandLineRun generate(String name, String... more) {
        return CommandLineRun.clean(
                "generate dyck-words -p N=2 -n 20 --test 10 --seed 5 --out %s %s",
                directory.resolve(name), String.join(" ", more));
    }

    @Test
    void dataSetsHaveAManifestAndFollowTheirSeed() throws IOException {
        CommandLineRun run = generate("a", "--json");
        JsonNode manifest = CommandLineRun.json(Files.readString(directory.resolve("a/manifest.json")));
        assertThat(run.json()).isEqualTo(manifest);
        assertThat(manifest.get("task").asText()).isEqualTo("dyck-words");
        assertThat(manifest.get("seed").longValue()).isEqualTo(5);
        assertThat(manifest.get("format").asText()).isEqualTo("jsonl");
        assertThat(manifest.get("vocabulary")).hasToString("[\"(\",\")\"]");
        assertThat(manifest.requiredAt("/settings/N").asText()).isEqualTo("2");
        assertThat(manifest.requiredAt("/settings/minDepth").asText())
                .as("a default in force")
                .isEqualTo("1");
        JsonNode train = manifest.requiredAt("/splits/train");
        assertThat(train.get("examples").intValue()).isEqualTo(20);
        assertThat(train.get("lengths")).hasToString("{\"4\":20}");
        assertThat(train.requiredAt("/depths/1").intValue()
                        + train.requiredAt("/depths/2").intValue())
                .isEqualTo(20);
        // There are only two words: the 20 training words contain both, so all 10 test words are in an earlier split.
        assertThat(train.get("distinct").intValue()).isEqualTo(2);
        assertThat(train.get("inEarlierSplits").intValue()).isZero();
        assertThat(manifest.requiredAt("/splits/test/inEarlierSplits").intValue())
                .isEqualTo(10);
        List<String> lines = Files.readAllLines(
                directory.resolve("a").resolve(train.get("file").asText()));
        assertThat(lines).hasSize(20);
        for (String line : lines) {
            JsonNode example = CommandLineRun.json(line);
            List<String> input = new ArrayList<>();
            example.get("input").forEach(symbol -> input.add(symbol.asText()));
            assertThat(DyckWords.isBalanced(DyckWords.ids(String.join("", input))))
                    .isTrue();
            assertThat(example.get("target")).hasSameSizeAs(example.get("position"));
        }
        generate("b");
        for (String file : List.of("train.jsonl", "test.jsonl", "manifest.json")) {
            assertThat(directory.resolve("b").resolve(file))
                    .hasSameBinaryContentAs(directory.resolve("a").resolve(file));
        }
    }

    /** Otherwise a command with endless input would never end. */
    @ParameterizedTest
    @CsvSource({"round --format binary16, 1", "run dyck-completion -p word=(()), ("})
    void aCommandEndsWhenItsReaderHasGone(String command, String line) {
        var lines = new ByteArrayInputStream((line + "\n").repeat(100_000).getBytes(StandardCharsets.US_ASCII));
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        CommandLineRun.run(lines, new OutputStreamWriter(closed, StandardCharsets.UTF_8), command.split(" "))
                .clean();
        assertThat(lines.available()).as("bytes left").isPositive();
    }

    @Test
    void tokFilesHoldTokensBetweenBlanks() throws IOException {
        generate("tok", "--format", "tok");
        assertThat(Files.readAllLines(directory.resolve("tok/train/main.tok")))
                .hasSize(20)
                .allMatch(line -> line.equals("( ( ) )") || line.equals("( ) ( )"));
        assertThat(directory.resolve("tok/manifest.json")).exists();
    }

    @Test
    void listsAreJsonArrays() throws IOException {
        JsonNode tasks = CommandLineRun.of("tasks", "--json").quiet().json();
        assertThat(tasks.get(0).get("name").asText()).isEqualTo("dyck-words");
        JsonNode constructions =
                CommandLineRun.of("constructions", "--json").quiet().json();
        assertThat(constructions.findValuesAsText("name")).contains("dyck-completion", "word", "sample");
        JsonNode claims = CommandLineRun.of("claims", "--json").quiet().json();
        assertThat(claims)
                .isNotEmpty()
                .allSatisfy(claim -> assertThat(claim.properties().stream().map(Map.Entry::getKey))
                        .contains("id", "statement", "source", "range", "budgets"));
        for (String list : List.of("tasks", "constructions", "claims")) {
            assertThat(CommandLineRun.of(list).quiet().out()).contains("Richard (2024)");
        }
    }

    @Test
    void doctorTellsWhatRuns() throws IOException {
        JsonNode report =
                CommandLineRun.of("doctor", "--json", "--no-check").quiet().json();
        assertThat(report.get("simd").asText()).isNotEmpty();
        assertThat(report.get("kernels").asText())
                .isEqualTo(Kernels.best().description())
                .startsWith("SIMD");
        for (String field : List.of("cores", "cpu", "jdk", "commit", "results", "claims", "java home")) {
            assertThat(report.get(field).asText()).as(field).isNotEmpty();
        }
        assertThat(report.get("check")).isEmpty();
        assertThat(CommandLineRun.of("doctor", "--no-check").quiet().out())
                .contains("kernels", "SIMD")
                .doesNotContainPattern("(?m)^check ");
    }

    /** The speed of kernels depends on other load, so only the content of the report is tested. */
    @Tag("long")
    @Test
    void doctorChecksTheKernels() throws IOException {
        CommandLineRun run = CommandLineRun.of("doctor", "--json", "--once");
        JsonNode checks = run.json().get("check");
        assertThat(checks).hasSizeGreaterThanOrEqualTo(3).allSatisfy(check -> {
            assertThat(check.get("kernel").asText()).isNotEmpty();
            assertThat(check.get("verdict").asText()).isIn("ok", "slow", "busy");
            assertThat(check.get("ratio").asDouble()).isPositive();
            assertThat(check.get("maxError").asDouble())
                    .isLessThan(check.get("tolerance").asDouble());
        });
        List<String> verdicts = checks.findValuesAsText("verdict");
        assertThat(run.code())
                .isEqualTo(
                        verdicts.contains("slow")
                                ? ExitCode.CONTRARY
                                : verdicts.contains("busy") ? ExitCode.INCONCLUSIVE : ExitCode.CLEAN);
    }

    @Test
    void withoutTheVectorModuleTheSameAnswersComeScalar() throws IOException, InterruptedException {
        assertThat(child("", "doctor")).contains("scalar: start the JVM with --add-modules jdk.incubator.vector");
        String[] run = {"run", "dyck-completion", "-p", "word=(()())((()))"};
        String input = "(\n((((\n()()\n";
        assertThat(child(input, run))
                .isEqualTo(CommandLineRun.withInput(input, run).quiet().out());
    }

    /** The standard output of a separate JVM without the incubator module. */
    private String child(String input, String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.lemmata.cli.Lemmata"));
        command.addAll(List.of(args));
        Path in = Files.writeString(directory.resolve("in"), input);
        Path err = directory.resolve("err");
        Process process = new ProcessBuilder(command)
                .redirectInput(in.toFile())
                .redirectError(err.toFile())
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("%s", Files.readString(err)).isZero();
        return out;
    }
}
