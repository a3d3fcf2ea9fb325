package org.lemmata.cli.text;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Json;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.History;
import org.lemmata.track.HistoryComparison;
import org.lemmata.track.HistoryEntry;

/** The latest run against the runs before it, as text, as JSON and as an exit code. */
public final class HistoryText {

    private static final String LINE = "%-8s  %-6s  %-18s  %-4s  %s%n";

    private HistoryText() {}

    /**
     * Compares the latest run of a history.
     *
     * @param file of the history, {@code jmh-results/history.jsonl}, which may be missing
     * @param json where the comparison is written as JSON; null for nowhere
     * @return the exit code
     */
    public static int compare(PrintWriter out, Path file, @Nullable Path json) throws IOException {
        var history = HistoryComparison.of(Files.exists(file) ? History.read(file) : List.of());
        print(out, history);
        if (json != null) {
            AtomicFile.write(json, Json.indented(json(history)) + "\n");
        }
        return exitCode(history);
    }

    /** 3 if no row has enough earlier runs. */
    static int exitCode(HistoryComparison history) {
        if (history.regression()) {
            return ExitCode.CONTRARY;
        }
        return history.conclusive() ? ExitCode.CLEAN : ExitCode.INCONCLUSIVE;
    }

    static void print(PrintWriter out, HistoryComparison history) {
        if (history.rows().isEmpty()) {
            out.println("no runs in the history");
            return;
        }
        HistoryEntry latest = history.rows().getFirst().run();
        out.printf(
                Locale.ROOT,
                """
                The latest run (%s, commit %s) against the median of up to %d earlier runs on %s
                ratio: how many times as fast; expected: the range of unchanged rows; runs: earlier runs, at least %d

                """,
                latest.time(),
                Refuse.printable(latest.commit()),
                HistoryComparison.MOST_RUNS,
                Refuse.printable(latest.row().machine().cpu()),
                HistoryComparison.FEWEST_RUNS);
        out.printf(LINE, "verdict", "ratio", "expected", "runs", "benchmark");
        history.rows().stream()
                .sorted(Comparator.comparing((HistoryComparison.Row row) -> !row.slower())
                        .thenComparing(row -> !row.faster())
                        .thenComparingDouble(HistoryComparison.Row::ratio))
                .forEach(row -> out.printf(
                        LINE,
                        verdict(row),
                        digits(row.ratio()),
                        expected(row),
                        row.earlier(),
                        name(row.run().row())));
    }

    private static String verdict(HistoryComparison.Row row) {
        return row.earlier() < HistoryComparison.FEWEST_RUNS
                ? "too few"
                : row.slower() ? "slower" : row.faster() ? "faster" : "as usual";
    }

    private static String digits(double value) {
        return Double.isNaN(value) ? "-" : ComparisonText.digits(value);
    }

    private static String expected(HistoryComparison.Row row) {
        double low = row.expected().low();
        return Double.isNaN(low)
                ? "-"
                : "[" + digits(low) + ", " + digits(row.expected().high()) + "]";
    }

    private static String name(HistoryEntry.Row row) {
        return Refuse.printable(row.benchmark().replaceFirst("^org\\.lemmata\\.", "")
                + BenchmarkRow.parameters(row.params()) + " (" + row.mode() + ")");
    }

    static Map<String, Object> json(HistoryComparison history) {
        return Json.object(
                "exitCode", exitCode(history),
                "rows",
                        history.rows().stream()
                                .map(row -> Json.object(
                                        "benchmark", row.run().row().benchmark(),
                                        "mode", row.run().row().mode(),
                                        "params", row.run().row().params(),
                                        "verdict", verdict(row),
                                        "ratio", row.ratio(),
                                        "low", row.expected().low(),
                                        "high", row.expected().high(),
                                        "earlier", row.earlier()))
                                .toList());
    }
}
