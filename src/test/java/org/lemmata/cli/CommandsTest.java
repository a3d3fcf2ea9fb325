package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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

    private static JsonNode json(String text) throws IOException {
        return JsonMapper.builder().build().readTree(text);
    }

    private static CommandLineRun clean(CommandLineRun run) {
        assertThat(run.code()).as("%s", run).isZero();
        assertThat(run.err()).isEmpty();
        return run;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "doctor",
                "tasks",
                "constructions",
                "claims",
                "generate",
                "run",
                "complete",
                "logits",
                "evaluate",
                "bound",
                "round",
                "verify",
                "report"
            })
    void everyCommandHasHelp(String command) {
        CommandLineRun run =
                clean(command.isEmpty() ? CommandLineRun.of("--help") : CommandLineRun.of(command, "--help"));
        assertThat(run.out()).contains("Usage: lemmata " + command).contains("--help");
    }

    /** 46 openings, a plateau of 16 pairs of each type, 46 closings: tf32 rejects the word, and binary32 once did. */
    @Test
    void aFormatThatIsTooNarrowIsRunIfForced() {
        String word = "(1 ".repeat(46) + "(1 )1 (2 )2 ".repeat(16) + ")1 ".repeat(46);
        String[] arguments = {"run", "dyck-recognizer", "-p", "maxLength=156"};
        assertThat(clean(CommandLineRun.withInput(word, arguments)).out()).contains("\"member\":true");
        String[] forced = {"run", "dyck-recognizer", "-p", "maxLength=156", "--format", "tf32", "--force"};
        assertThat(clean(CommandLineRun.withInput(word, forced)).out()).contains("\"member\":false");
    }

    @Test
    void versionIsOneLine() {
        assertThat(clean(CommandLineRun.of("--version")).outLines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("lemmata ");
    }

    @Test
    void completionsHaveScoresAndProbabilitiesAStep() throws IOException {
        CommandLineRun run =
                clean(CommandLineRun.lineWithInput("(\n\n  (((  \n(())()\n", "run dyck-completion -p word=(())()"));
        assertThat(run.outLines()).hasSize(4);
        JsonNode first = json(run.outLines().get(0));
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
        JsonNode empty = json(run.outLines().get(1));
        assertThat(empty.get("forced").asText()).isEqualTo("(");
        assertThat(empty.get("completion").asText()).isEqualTo("(())()");
        JsonNode deep = json(run.outLines().get(2));
        assertThat(deep.get("input").asText()).isEqualTo("  (((  ");
        assertThat(deep.get("completion").asText()).isEqualTo("((()))");
        JsonNode whole = json(run.outLines().get(3));
        assertThat(whole.get("completion").asText()).isEqualTo("(())()");
        assertThat(whole.get("scores")).isEmpty();
    }

    @Test
    void theModelWithoutPositionsClosesThenRepeats() throws IOException {
        CommandLineRun run =
                clean(CommandLineRun.lineWithInput("((\n", "run dyck-completion-without-positions -p N=4"));
        assertThat(json(run.out()).get("completion").asText()).isEqualTo("(())()()");
    }

    @Test
    void severalBracketTypesAreClosedByTheirOwn() throws IOException {
        CommandLineRun run = clean(CommandLineRun.withInput(
                "(2 (1\n(1 (2\n\n", "run", "dyck-completion-of-types", "-p", "word=(1 (2 )2 (1 )1 )1"));
        assertThat(run.outLines()).hasSize(3);
        JsonNode first = json(run.outLines().get(0));
        assertThat(first.properties().stream().map(Map.Entry::getKey))
                .containsExactly("input", "completion", "balanced", "probabilities");
        assertThat(first.get("completion").asText()).isEqualTo("(2 (1 )1 (1 )1 )2");
        assertThat(first.get("balanced").booleanValue()).isTrue();
        // X = 9.5 / 2 for closing, 3 more for the right type, against three others.
        double probability = 1 / (1 + Math.exp(-3) + Math.exp(-9.5) + Math.exp(-12.5));
        assertThat(first.get("probabilities")).hasSize(4);
        assertThat(first.get("probabilities").get(0).doubleValue()).isCloseTo(probability, within(1e-6));
        assertThat(json(run.outLines().get(1)).get("completion").asText()).isEqualTo("(1 (2 )2 (1 )1 )1");
        JsonNode empty = json(run.outLines().get(2));
        assertThat(empty.get("forced").asText()).isEqualTo("(1");
        assertThat(empty.get("completion").asText()).isEqualTo("(1 (2 )2 (1 )1 )1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sequence-memorization", "sequence-memorization-by-projection"})
    void sequencesAreCompletedFromEveryPrefix(String construction) throws IOException {
        String[] arguments = {"run", construction, "-p", "sequence=to be or not to be", "-p", "others=that is"};
        CommandLineRun run = clean(CommandLineRun.withInput("to\nto be or not\n\nbe that\n", arguments));
        assertThat(run.outLines()).hasSize(4);
        for (String line : run.outLines().subList(0, 3)) {
            JsonNode answer = json(line);
            assertThat(answer.get("completion").asText()).isEqualTo("to be or not to be");
            assertThat(answer.get("memorized").booleanValue()).isTrue();
            assertThat(answer.get("probabilities"))
                    .isNotEmpty()
                    .allSatisfy(
                            probability -> assertThat(probability.doubleValue()).isBetween(0.999, 1.0));
        }
        assertThat(json(run.outLines().get(2)).get("forced").asText()).isEqualTo("to");
        JsonNode other = json(run.outLines().get(3));
        assertThat(other.get("completion").asText()).startsWith("be that ");
        assertThat(other.get("memorized").booleanValue()).isFalse();
    }

    @Test
    void theTasksOfLengthGeneralizationAreAnsweredByTheirValue() throws IOException {
        CommandLineRun simple =
                clean(CommandLineRun.lineWithInput("0 0 1 2 2\n2\n", "run simple-task -p omega=1 -p knots=17 -p p=10"));
        JsonNode first = json(simple.outLines().get(0));
        assertThat(first.properties().stream().map(Map.Entry::getKey)).containsExactly("input", "value", "target");
        assertThat(first.get("value").doubleValue()).isCloseTo(0.32664967247553955, within(1e-14));
        assertThat(first.get("target").doubleValue()).isEqualTo(Math.sin(1.0 / 3));
        assertThat(json(simple.outLines().get(1)).get("value").doubleValue()).isCloseTo(0, within(1e-14));
        String[] arguments = {"run", "mod-p-task", "-p", "period=3", "-p", "index=1"};
        CommandLineRun modP = clean(CommandLineRun.withInput("1 1 0  0 1 0 1\n", arguments));
        assertThat(json(modP.out()).get("value").doubleValue()).isEqualTo(2.0 / 3);
        assertThat(json(modP.out()).get("target").doubleValue()).isEqualTo(2.0 / 3);
        String[] rounded = {"run", "mod-p-task", "-p", "period=3", "-p", "bits=8", "--format", "bfloat16"};
        assertThat(json(clean(CommandLineRun.withInput("1 1 0 0 1 0 1\n", rounded))
                                .out())
                        .get("value")
                        .doubleValue())
                .isEqualTo(0.66796875);
    }

    @Test
    void whatIsNoInputOfATaskIsOneLinesError() throws IOException {
        CommandLineRun run = CommandLineRun.lineWithInput("0 3\n\n0 1 0\n0 1\n", "run simple-task -p maxLength=2");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(json(run.outLines().get(0)).get("error").asText())
                .isEqualTo("symbol: expected one of 0 1 2, got '3'");
        assertThat(json(run.outLines().get(1)).get("error").asText()).isEqualTo("expected at least 1 token, got none");
        assertThat(json(run.outLines().get(2)).get("error").asText()).isEqualTo("expected at most 2 tokens, got 3");
        assertThat(json(run.outLines().get(3)).get("value").doubleValue()).isCloseTo(0, within(1e-14));
    }

    @Test
    void tokensThatAreNotThereAreOneLinesError() throws IOException {
        CommandLineRun run =
                CommandLineRun.withInput("b c\na b a\na\n", "run", "sequence-memorization", "-p", "sequence=a b");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
        assertThat(json(run.outLines().get(0)).get("error").asText()).isEqualTo("symbol: expected one of a b, got 'c'");
        assertThat(json(run.outLines().get(1)).get("error").asText())
                .isEqualTo("prefix: expected at most 2 tokens, got 3");
        assertThat(json(run.outLines().get(2)).get("completion").asText()).isEqualTo("a b");
        CommandLineRun brackets =
                CommandLineRun.withInput("(1 )2\n(1 (1\n", "run", "dyck-completion-of-types", "-p", "word=(1 )1");
        assertThat(json(brackets.outLines().get(0)).get("error").asText())
                .isEqualTo("position 2: expected )1 or an opening bracket, got )2");
        assertThat(json(brackets.outLines().get(1)).get("error").asText())
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
        assertThat(json(run.out()).get("completion").asText()).isEqualTo("(()())");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "''; 1; 1.0; 0x3c00",
                "''; 65504; 65504.0; 0x7bff",
                "''; 65519; 65504.0; 0x7bff",
                "''; 65520; Infinity; 0x7c00",
                "--saturate; 65520; 65504.0; 0x7bff",
                "--mode=TowardZero; 65520; 65504.0; 0x7bff",
                "--mode=TowardZero; 1e300; 65504.0; 0x7bff",
                "--mode=TowardZero; 1.00097656249; 1.0; 0x3c00",
                "''; 1e-8; 0.0; 0x0000",
                "''; -1e-8; -0.0; 0x8000",
                "''; 6e-8; 5.960464477539063E-8; 0x0001",
                "--no-subnormals; 6e-8; 0.0; 0x0000",
                "''; -0; -0.0; 0x8000",
                "''; nan; NaN; 0x7e00",
                "''; -inf; -Infinity; 0xfc00",
                "--saturate; Infinity; 65504.0; 0x7bff",
                "''; 0x1.8p1; 3.0; 0x4200"
            })
    void binary16IsRoundedToNumberAndBits(String option, String input, String number, String bits) {
        CommandLineRun run = CommandLineRun.lineWithInput(input + "\n", "round --format binary16 %s", option)
                .clean();
        assertThat(run.outLines()).containsExactly(number + "\t" + bits);
    }

    @Test
    void otherFormatsHaveTheirOwnWidth() {
        for (String[] each : new String[][] {
            {"binary64", "0.1\t0x3fb999999999999a"},
            {"binary32", "0.10000000149011612\t0x3dcccccd"},
            {"bfloat16", "0.10009765625\t0x3dcd"},
            {"threshold(4)", "0.1\t0x3fb999999999999a", "0.0\t0x0000000000000000"}
        }) {
            String input = each.length > 2 ? "0.1\n0.01" : "0.1";
            assertThat(CommandLineRun.lineWithInput(input, "round --format %s", each[0])
                            .outLines())
                    .containsExactly(Arrays.copyOfRange(each, 1, each.length));
        }
    }

    private CommandLineRun generate(String name, String... more) {
        return CommandLineRun.line(
                        "generate dyck-words -p N=2 -n 20 --test 10 --seed 5 --out %s %s",
                        directory.resolve(name), String.join(" ", more))
                .clean();
    }

    @Test
    void dataSetsHaveAManifestAndFollowTheirSeed() throws IOException {
        CommandLineRun run = generate("a", "--json");
        JsonNode manifest = json(Files.readString(directory.resolve("a/manifest.json")));
        assertThat(json(run.out())).isEqualTo(manifest);
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
        // D_4 has two words: 20 draws hold both, so every one of the later 10 was seen.
        assertThat(train.get("distinct").intValue()).isEqualTo(2);
        assertThat(train.get("inEarlierSplits").intValue()).isZero();
        assertThat(manifest.requiredAt("/splits/test/inEarlierSplits").intValue())
                .isEqualTo(10);
        List<String> lines = Files.readAllLines(
                directory.resolve("a").resolve(train.get("file").asText()));
        assertThat(lines).hasSize(20);
        for (String line : lines) {
            JsonNode example = json(line);
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
        JsonNode tasks = json(clean(CommandLineRun.of("tasks", "--json")).out());
        assertThat(tasks.get(0).get("name").asText()).isEqualTo("dyck-words");
        JsonNode constructions =
                json(clean(CommandLineRun.of("constructions", "--json")).out());
        assertThat(constructions.findValuesAsText("name")).contains("dyck-completion", "word", "sample");
        JsonNode claims = json(clean(CommandLineRun.of("claims", "--json")).out());
        assertThat(claims)
                .isNotEmpty()
                .allSatisfy(claim -> assertThat(claim.properties().stream().map(Map.Entry::getKey))
                        .contains("id", "statement", "source", "range", "budgets"));
        for (String list : List.of("tasks", "constructions", "claims")) {
            assertThat(clean(CommandLineRun.of(list)).out()).contains("Richard (2024)");
        }
    }

    @Test
    void doctorTellsWhatRuns() throws IOException {
        JsonNode report =
                json(clean(CommandLineRun.of("doctor", "--json", "--no-check")).out());
        assertThat(report.get("simd").asText()).isNotEmpty();
        assertThat(report.get("kernels").asText())
                .isEqualTo(Kernels.best().description())
                .startsWith("SIMD");
        for (String field : List.of("cores", "cpu", "jdk", "commit", "results", "claims", "java home")) {
            assertThat(report.get(field).asText()).as(field).isNotEmpty();
        }
        assertThat(report.get("check")).isEmpty();
        assertThat(clean(CommandLineRun.of("doctor", "--no-check")).out())
                .contains("kernels", "SIMD")
                .doesNotContainPattern("(?m)^check ");
    }

    /** What the kernels' speed comes to is for a quiet machine to say: slow or not, the report is whole. */
    @Tag("long")
    @Test
    void doctorChecksTheKernels() throws IOException {
        CommandLineRun run = CommandLineRun.of("doctor", "--json", "--once");
        JsonNode checks = json(run.out()).get("check");
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
                .isEqualTo(clean(CommandLineRun.withInput(input, run)).out());
    }

    /** Standard output of a JVM of its own, started without the incubator module. */
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
