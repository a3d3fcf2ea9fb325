package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.track.BenchmarkSession;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.ComparisonRow.Change;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.RunRecord;

class CompareCommandTest {

    @TempDir
    private Path directory;

    @Test
    void whatIsSlowerComesFirstAndIsExitCode1() throws IOException {
        String before = file("before.json", row("same", 100), row("slow", 100), row("quick", 100));
        String now = file("now.json", row("same", 100), row("slow", 120), row("quick", 80));
        Path json = directory.resolve("new/comparison.json");
        CommandLineRun run = CommandLineRun.line("compare %s %s --json=%s", before, now, json);
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isEqualTo(1);
        List<String> lines = run.outLines();
        assertThat(lines.getFirst()).isEqualTo("Speed of " + now + " relative to " + before);
        assertThat(lines.get(1))
                .isEqualTo(
                        "method: mean of medians, forks of two runs; intervals at 98.3333%, which is 95% for all 3 rows"
                                + " (Bonferroni)");
        assertThat(lines.get(2)).isEqualTo("note: not recorded: threads, warm-up, JVM arguments, JMH, measurement");
        assertThat(lines.get(4)).matches("verdict  ratio   interval +margin  forks  takes  benchmark");
        assertThat(lines.get(5))
                .matches("slower   0\\.8333  \\[0\\.8\\d+, 0\\.8\\d+]  2% +4 +- +X\\.slow size=4 \\(avgt\\)");
        assertThat(lines.get(6)).startsWith("faster   1.250 ");
        assertThat(lines.get(7)).startsWith("same     1.000 ");
        assertThat(lines.getLast()).isEqualTo("1 slower, 1 faster, 1 same; geometric mean of 3 ratios 1.014");
        assertThat(Comparison.read(json).rows())
                .extracting(ComparisonRow::verdict)
                .containsExactly(Change.SAME, Change.SLOWER, Change.FASTER);
    }

    /** As the only row, it would be slower; because of two rows and the margin, it is only probably slower. */
    @Test
    void whatIsProbablySlowerFailsWhereThatIsAskedFor() throws IOException {
        String before = file("before.json", row("a", 100), row("b", 100));
        String now = file("now.json", row("a", 100), row("b", 102));
        CommandLineRun run = CommandLineRun.of("compare", before, now).exits(3);
        assertThat(run.out())
                .containsPattern("probably slower  0\\.9804  \\[0\\.9\\d+, 0\\.9\\d+]  2% +4 +\\S+ +X\\.b")
                .contains("\n"
                        + "probably     the 95% interval of only this row excludes 1, which happens to up to"
                        + " 5% of unchanged rows");
        CommandLineRun.line("compare %s %s --fail-on probably", before, now).exits(1);
        CommandLineRun.line("compare %s %s --fail-on left-out", before, now).exits(3);
        assertThat(CommandLineRun.line("compare %s %s --fail-on slower", before, now)
                        .errLines())
                .containsExactly("lemmata: --fail-on: expected probably or left-out, got slower");
    }

    @Test
    void anAcceptedSlowDownDoesNotFail() throws IOException {
        String before = file("before.json", row("a", 100));
        String now = file("now.json", row("a", 150));
        Path accepted = directory.resolve("accepted");
        Files.writeString(
                accepted,
                "9999-12-31  org.lemmata.X.a size=4 (avgt)  # checks more, see #12\n9999-12-31  X.y (avgt) # why\n");
        CommandLineRun run = CommandLineRun.clean("compare %s %s --accept %s", before, now, accepted);
        assertThat(run.out())
                .contains("slower, accepted  0.6667 ")
                .contains("X.a size=4 (avgt); until 9999-12-31: checks more, see #12\n");
        assertThat(run.errLines())
                .containsExactly("note: " + accepted + ": no benchmark of this comparison is named X.y (avgt)");
    }

    @Test
    void anIntervalBeyondAHundredfoldIsNoInformation() throws IOException {
        String one = row("a", 100).replaceAll("\\[\\[99.7.*]]", "[[100]]");
        String before = file("before.json", one);
        CommandLineRun run =
                CommandLineRun.of("compare", before, file("now.json", one)).exits(3);
        assertThat(run.out()).contains("inconclusive  1.000  no information  2%      1      -      X.a size=4 (avgt)");
    }

    @Test
    void aTerminalObeysNoParameter() throws IOException {
        String row = row("x", 100).replace("\"4\"", "\"\\u001b[31m4\\n\"");
        CommandLineRun run = CommandLineRun.of("compare", file("before.json", row), file("now.json", row));
        assertThat(run.outLines()).anySatisfy(line -> assertThat(line).contains("size=?[31m4? (avgt)"));
    }

    @Test
    void aVarianceThatRowsShareIsSaid() throws IOException {
        String[] rows = IntStream.range(0, 12).mapToObj(i -> row("x" + i, 100)).toArray(String[]::new);
        CommandLineRun run = CommandLineRun.of("compare", file("before.json", rows), file("now.json", rows))
                .clean();
        assertThat(run.outLines().get(1))
                .endsWith("12 rows (Bonferroni); rows share a variance, worth up to 6.0 degrees of freedom in each");
    }

    @Test
    void thePageShowsTheComparison() throws IOException {
        String before = file("before.json", row("gone", 100), row("slow", 100), row("near", 100));
        String now = file("now.json", row("slow", 120), row("near", 102));
        String json = directory.resolve("comparison.json").toString();
        CommandLineRun.line("compare %s %s --json=%s", before, now, json);
        String claims = directory.resolve("claims.json").toString();
        Files.writeString(Path.of(claims), "[]");
        CommandLineRun run = CommandLineRun.line(
                "report --claims %s --jmh %s --comparison %s --evidence %s --out %s",
                claims, now, json, directory, directory.resolve("page"));
        assertThat(run.err()).isEmpty();
        Element table = Objects.requireNonNull(
                Jsoup.parse(directory.resolve("page/index.html").toFile()).getElementById("comparison-table"));
        assertThat(table.select("tbody tr").eachText())
                .satisfiesExactly(
                        row -> assertThat(row).contains("slower", "X.slow", "0.833×", "2%"),
                        row -> assertThat(row).contains("probably slower", "X.near", "0.98×"),
                        row -> assertThat(row).contains("not compared", "X.gone", "only in " + before));
        Files.writeString(Path.of(json), "{}");
        CommandLineRun.line("report --claims %s --jmh %s --comparison %s", claims, now, json)
                .refusedWith(json, "baseline: expected a string");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aComparisonIsShownWithoutBenchmarks(boolean withSweep) throws IOException {
        String before = file("before.json", row("slow", 100));
        String json = directory.resolve("comparison.json").toString();
        CommandLineRun.line("compare %s %s --json=%s", before, file("now.json", row("slow", 120)), json);
        Files.createFile(directory.resolve("results.jsonl"));
        CommandLineRun.clean(
                "report --comparison %s --out %s" + (withSweep ? " --sweep %s" : " --claims %s"),
                json,
                directory.resolve("page"),
                withSweep ? directory : file("claims.json"));
        Document page = Jsoup.parse(directory.resolve("page/index.html").toFile());
        assertThat(page.select("#changes li").text()).contains("slower", "0.833×", before);
        assertThat(page.select("#comparison-table tbody tr").text()).contains("slower", "X.slow");
    }

    @Test
    void marginsAndRegularExpressionsChooseWhatCounts() throws IOException {
        String before = file("before.json", row("same", 100), row("slow", 100));
        String now = file("now.json", row("same", 100), row("slow", 120));
        CommandLineRun.clean("compare %s %s --margin 30%", before, now);
        CommandLineRun.clean("compare %s %s --margin size=4.*=0.3 --margin 1%", before, now);
        CommandLineRun.line("compare %s %s --margin 30% --margin slow=1%", before, now)
                .exits(1);
        CommandLineRun.clean("compare %s %s --include same", before, now);
        CommandLineRun.line("compare %s %s --include nothing", before, now)
                .refused("--include: expected a regular expression that matches a row, got nothing");
    }

    @Test
    void withoutAVerdictOfARowTheExitCodeIs3() throws IOException {
        String before = file("before.json", row("same", 100), row("gone", 100));
        String now = file("now.json", row("same", 100));
        CommandLineRun gone = CommandLineRun.of("compare", before, now).exits(3);
        assertThat(gone.outLines()).endsWith("1 gone, 1 same");
        CommandLineRun.of("compare", now, before).exits(0);
        String near = file("near.json", row("same", 102), row("gone", 100));
        CommandLineRun inconclusive = CommandLineRun.of("compare", before, near).exits(3);
        assertThat(inconclusive.out()).containsPattern("probably slower +0\\.9804 .* \\d+ +(\\d+|1000\\+) +X\\.same");
        String slow = file("slow.json", row("same", 150));
        CommandLineRun.of("compare", before, slow).exits(1);
    }

    @Test
    void whatHoldsOfTwoRunsIsRefusedWithoutThem() {
        assertLine("--history: expected no baseline with it, got before", "before", "--history");
        assertLine("--margin: expected two runs to compare, got none (without a baseline)", "--margin", "5%");
        assertLine("--allow: expected two runs to compare, got none (--history)", "--history", "--allow", "forks");
    }

    @Test
    void unequalMachinesAreRefusedInOneLineAndInTheDocument() throws IOException {
        String before = file("before.json", row("same", 100));
        String now = file("now.json", row("same", 100));
        record("now", "one", "A", "");
        Path json = directory.resolve("comparison.json");
        CommandLineRun.line("compare %s %s --json=%s", before, now, json)
                .refused("compare: expected runs of one machine, settings and forks, got machine: unknown,"
                        + " now Zen (--allow machine)");
        assertThat(Comparison.read(json).refused()).contains("machine: unknown, now Zen");
        CommandLineRun allowed = CommandLineRun.clean("compare %s %s --allow settings,machine", before, now);
        assertThat(allowed.out()).contains("note: machine: unknown, now Zen\n");
    }

    @Test
    void oneNameComparesItsTwoSidesAndARunBesideItselfThatDiffersIsCalledOut() throws IOException {
        String now = file("run.json", row("a", 80));
        file("run.against.json", row("a", 100));
        record("run", "one", "A", "abc123");
        record("run.against", "one", "B", "abc123");
        CommandLineRun run = CommandLineRun.of("compare", now).clean();
        assertThat(run.out())
                .contains("forks in turn, A B B A")
                .contains("faster")
                .doesNotContain("noise floor");
        record("run", "one", "A", "itself");
        record("run.against", "one", "B", "itself");
        CommandLineRun itself = CommandLineRun.of("compare", now).exits(1);
        assertThat(itself.out()).contains("noise floor");
        assertThat(itself.outLines().getLast())
                .startsWith("1 faster; the code was compared with itself, so 1 verdict is wrong");
        file("run.json", row("a", 100));
        CommandLineRun same = CommandLineRun.of("compare", now).clean();
        assertThat(same.outLines()).endsWith("1 same");
    }

    @Test
    void sidesOfTwoRunsAreNotTakenForThoseOfOne() throws IOException {
        String now = file("run.json", row("a", 80));
        String against = file("run.against.json", row("a", 100));
        record("run", "newer", "A", "");
        record("run.against", "older", "B", "abc123");
        Path json = directory.resolve("comparison.json");
        CommandLineRun run =
                CommandLineRun.line("compare %s --json=%s", now, json).exits(2);
        String message = against + ": expected the other side of " + now + ", got one of another run";
        assertThat(run.errLines()).containsExactly("lemmata: " + message);
        assertThat(Comparison.read(json).refused()).isEqualTo(message);
        CommandLineRun named = CommandLineRun.of("compare", against, now).clean();
        assertThat(named.out()).contains("forks of two runs");
        Files.delete(directory.resolve("run.against.run.json"));
        assertThat(CommandLineRun.of("compare", now).errLines()).containsExactly("lemmata: " + message);
    }

    @Test
    void badInputIsOneLine() throws IOException {
        String file = file("before.json", row("same", 100));
        assertLine("CURRENT: expected other results than the baseline's, got " + file, file, file);
        String link = Files.createSymbolicLink(directory.resolve("link.json"), Path.of("before.json"))
                .toString();
        assertLine("CURRENT: expected other results than the baseline's, got " + link, file, link);
        assertLine("--margin: expected a share such as 2% or 0.02, got x=y", file, "--margin", "x=y");
        assertLine("margin: expected a number of at least 0, got -0.01", file, "--margin", "-1%");
        assertLine("--margin: expected a regular expression, got '('", file, "--margin", "(=1%");
        assertLine("--include: expected a regular expression, got '('", file, "--include", "(");
        assertLine("--allow: expected machine, settings, jvm-arguments or forks, got jdk", file, "--allow", "jdk");
        assertLine("alpha: expected a number between 0 and 1, got 1.0", file, "--alpha", "1");
        assertLine("jmh-results/no-such-run.json: no such file; expected the results of JMH (-rf json)", "no-such-run");
    }

    private static void assertLine(String message, String... arguments) {
        CommandLineRun.line("compare %s", String.join(" ", arguments)).refused(message);
    }

    private String file(String name, String... rows) throws IOException {
        Path file = directory.resolve(name);
        Files.writeString(file, "[" + String.join(",", rows) + "]");
        return file.toString();
    }

    /** Four forks that differ by a few tenths of a percent, in microseconds. */
    private static String row(String method, double score) {
        String samples = List.of(0.997, 1.003, 0.999, 1.001).stream()
                .map(factor -> "[" + factor * score + "," + factor * score + "]")
                .collect(Collectors.joining(","));
        return """
            {"benchmark": "org.lemmata.X.%s", "mode": "avgt", "forks": 4, "params": {"size": "4"},
             "primaryMetric": {"score": %s, "scoreUnit": "us/op", "rawData": [%s]}, "secondaryMetrics": {}}
            """.formatted(method, score, samples);
    }

    private void record(String name, String session, String side, String against) throws IOException {
        var machine = new MachineIdentity("Zen", 2, 0, "Linux", "25", List.of(), "256 bits", "unknown");
        new RunRecord(
                        "commit",
                        Instant.EPOCH,
                        List.of(),
                        machine,
                        new BenchmarkSession(session, side, "", against, "jar", 0, List.of(), "", List.of(), Map.of()))
                .write(directory.resolve(name + ".run.json"));
    }
}
