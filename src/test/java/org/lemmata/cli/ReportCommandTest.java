package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.file.Json;
import org.lemmata.report.Report;
import org.lemmata.track.ComparisonSide;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.RatioComparison;
import org.lemmata.track.RunRecord;

/**
 * The files that {@code report} writes in addition to the page. With a comparison of ratios, it always writes the page,
 * and its exit code is that of the ratios.
 */
class ReportCommandTest {

    @TempDir
    private Path directory;

    private static String resource(String name) throws Exception {
        return Path.of(Objects.requireNonNull(Report.class.getResource(name)).toURI())
                .toString();
    }

    @Test
    void everyFormatIsWrittenAndNamed() throws Exception {
        Path bencher = directory.resolve("new/bmf.json");
        Path otava = directory.resolve("otava");
        Path markdown = directory.resolve("summary.md");
        CommandLineRun run = CommandLineRun.line(
                "report --claims %s --jmh %s --evidence %s --out %s --bmf %s --otava %s --markdown %s",
                resource("claims.json"), resource("jmh.json"), directory, directory, bencher, otava, markdown);
        assertThat(run.outLines())
                .containsExactly(
                        "page: " + directory.resolve("index.html"),
                        "bmf: " + bencher,
                        "otava: " + otava,
                        "markdown: " + markdown);
        assertThat(JsonParser.parseString(Files.readString(bencher))
                        .getAsJsonObject()
                        .keySet())
                .hasSize(14)
                .contains("org.lemmata.kernel.softmax.SoftmaxBenchmark.vector length=1024 (avgt)");
        assertThat(otava.resolve("otava.yaml")).exists();
        assertThat(otava.resolve("14.csv")).exists();
        assertThat(otava.resolve("15.csv")).doesNotExist();
        assertThat(Files.readString(markdown)).startsWith("## Lemmata\n").contains("SoftmaxBenchmark.vector");
    }

    @Test
    void anExportThatFailsDoesNotStopTheOthers() throws Exception {
        Path otava = directory.resolve("otava");
        Path markdown = directory.resolve("summary.md");
        CommandLineRun run = CommandLineRun.line(
                        "report --claims %s --jmh %s --evidence %s --out %s --bmf %s --otava %s --trend %s --markdown"
                                + " %s",
                        resource("claims.json"),
                        resource("jmh.json"),
                        directory,
                        directory,
                        directory,
                        otava,
                        directory,
                        markdown)
                .exits(2);
        assertThat(run.errLines())
                .containsExactly(
                        "lemmata: trend: expected benchmarks with runs in the history, got none",
                        "lemmata: " + directory + ": cannot be written: Is a directory");
        assertThat(run.outLines())
                .containsExactly(
                        "page: " + directory.resolve("index.html"), "otava: " + otava, "markdown: " + markdown);
        assertThat(markdown).exists();
    }

    private static final String NAME = "X.vector (thrpt) over scalar";

    private Path baselines = Path.of("");
    private Path results = Path.of("");

    @BeforeEach
    void directories() throws IOException {
        baselines = Files.createDirectory(directory.resolve("portable"));
        results = directory.resolve("now.json");
        Files.writeString(directory.resolve("claims.json"), "[]");
    }

    private CommandLineRun report() throws IOException {
        Path json = directory.resolve("comparison.json");
        var ratios = RatioComparison.of(
                ComparisonSide.read("now", results), baselines, directory.resolve("no-history.jsonl"));
        Files.writeString(json, Json.indented(ratios));
        return CommandLineRun.line(
                "report --claims=%s --jmh=%s --comparison=%s --evidence=%s --out=%s --markdown=%s",
                directory.resolve("claims.json"), results, json, directory, directory, directory.resolve("summary.md"));
    }

    private Document page() throws IOException {
        return Jsoup.parse(Files.readString(directory.resolve("index.html")));
    }

    @Test
    void aRegressionIsOnThePageAndExitsWithOne() throws IOException {
        write(baselines.resolve("simd-256.json"), 8);
        write(results, 2);
        CommandLineRun run = report().exits(1);
        assertThat(run.errLines())
                .containsExactly(
                        "lemmata: slower than in " + baselines.resolve("simd-256.json") + ": " + NAME + " 0.2500");
        assertThat(run.outLines()).first().isEqualTo("page: " + directory.resolve("index.html"));
        assertThat(page().select("#comparison-table tbody tr"))
                .singleElement()
                .satisfies(
                        row -> assertThat(row.text()).contains("slower", "X.vector over scalar", "0.25×", "8×", "2×"));
        assertThat(Files.readString(directory.resolve("summary.md"))).contains("▼ slower");
    }

    @Test
    void whatIsTheSameAndWhatHasNoBaselineExitsWithZero() throws IOException {
        write(results, 8);
        report().clean();
        assertThat(page().select("#comparison .refused").text())
                .startsWith("Not compared with a baseline: portable baseline: expected "
                        + baselines.resolve("simd-256.json") + ", got none");
        write(baselines.resolve("simd-256.json"), 8);
        report().clean();
        assertThat(page().select("#comparison .badge").eachText()).contains("= same");
        Files.delete(RunRecord.beside(results));
        report().clean();
        assertThat(page().select("#comparison .refused").text())
                .isEqualTo("Not compared with a baseline: run record: expected one next to the results");
    }

    /** Writes three forks of a scalar row, and of a SIMD row that is {@code ratio} times as fast. */
    private static void write(Path file, double ratio) throws IOException {
        Files.writeString(file, "[" + row("scalar", 10) + "," + row("vector", 10 * ratio) + "]");
        new RunRecord(
                        "c0ffee",
                        Instant.parse("2026-11-20T12:34:56Z"),
                        List.of(),
                        new MachineIdentity("CPU", 2, 0, "Linux", "25", List.of(), "256 bits", "unknown"),
                        null)
                .write(RunRecord.beside(file));
    }

    private static String row(String method, double score) {
        return String.format(Locale.ROOT, """
            {"jmhVersion": "1.37", "benchmark": "org.lemmata.X.%s", "mode": "thrpt", "threads": 1, "forks": 3,
             "jvmArgs": [], "warmupIterations": 1, "warmupTime": "1 s", "warmupBatchSize": 1,
             "measurementIterations": 1, "measurementTime": "1 s", "measurementBatchSize": 1,
             "primaryMetric": {"score": %2$s, "scoreError": "NaN", "scoreUnit": "ops/s",
              "rawData": [[%2$s], [%3$s], [%4$s]]}, "secondaryMetrics": {}}
            """, method, score, score * 1.001, score * 0.999);
    }
}
