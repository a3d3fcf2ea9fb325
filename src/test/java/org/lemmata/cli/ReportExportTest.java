package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.report.Report;

/** The files that {@code report} writes in addition to the page. */
class ReportExportTest {

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
                "report --claims %s --jmh %s --evidence %s --out %s --bmf %s --otava %s --trend %s --markdown %s",
                resource("claims.json"),
                resource("jmh.json"),
                directory,
                directory,
                directory,
                otava,
                directory,
                markdown);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.errLines())
                .containsExactly(
                        "lemmata: trend: expected benchmarks with runs in the history, got none",
                        "lemmata: " + directory + ": cannot be written: Is a directory");
        assertThat(run.outLines())
                .containsExactly(
                        "page: " + directory.resolve("index.html"), "otava: " + otava, "markdown: " + markdown);
        assertThat(markdown).exists();
    }
}
