package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.file.Json;
import org.lemmata.track.ComparisonSide;
import org.lemmata.track.MachineIdentity;
import org.lemmata.track.RatioComparison;
import org.lemmata.track.RunRecord;

/** {@code report} with a comparison of ratios always writes the page, and its exit code is that of the ratios. */
class ReportRatiosTest {

    private static final String NAME = "X.vector (thrpt) over scalar";

    @TempDir
    private Path directory;

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
        CommandLineRun run = report();
        assertThat(run.code()).isEqualTo(1);
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
