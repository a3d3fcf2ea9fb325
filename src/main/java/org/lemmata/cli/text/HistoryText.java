package org.lemmata.cli.text;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import org.lemmata.argument.Refuse;
import org.lemmata.file.Json;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.History.HistoryEntry;
import org.lemmata.track.HistoryComparison;

/** The comparison of the latest run with earlier runs, as text, as JSON and as an exit code. */
public final class HistoryText {

    private static final String LINE = "%-8s  %-6s  %-18s  %-4s  %s%n";

    private HistoryText() {}

    /** The exit code; 3 if no row has enough earlier runs. */
    public static int exitCode(HistoryComparison history) {
        if (history.regression()) {
            return ExitCode.CONTRARY;
        }
        return history.conclusive() ? ExitCode.CLEAN : ExitCode.INCONCLUSIVE;
    }

    public static void print(PrintWriter out, HistoryComparison history) {
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
                        ComparisonText.ratio(row.ratio()),
                        expected(row),
                        row.earlier(),
                        name(row.run().row())));
    }

    private static String verdict(HistoryComparison.Row row) {
        return row.earlier() < HistoryComparison.FEWEST_RUNS
                ? "too few"
                : row.slower() ? "slower" : row.faster() ? "faster" : "as usual";
    }

    private static String expected(HistoryComparison.Row row) {
        double low = row.expected().low();
        return Double.isNaN(low)
                ? "-"
                : "[" + ComparisonText.ratio(low) + ", "
                        + ComparisonText.ratio(row.expected().high()) + "]";
    }

    private static String name(HistoryEntry.Row row) {
        return Refuse.printable(row.benchmark().replaceFirst("^org\\.lemmata\\.", "")
                + BenchmarkRow.parameters(row.params()) + " (" + row.mode() + (row.duet() ? ", duet)" : ")"));
    }

    public static Map<String, Object> json(HistoryComparison history) {
        return Json.object(
                "exitCode", exitCode(history),
                "rows",
                        history.rows().stream()
                                .map(row -> Json.object(
                                        "benchmark", row.run().row().benchmark(),
                                        "mode", row.run().row().mode(),
                                        "params", row.run().row().params(),
                                        "duet", row.run().row().duet(),
                                        "verdict", verdict(row),
                                        "ratio", row.ratio(),
                                        "low", row.expected().low(),
                                        "high", row.expected().high(),
                                        "earlier", row.earlier()))
                                .toList());
    }
}
