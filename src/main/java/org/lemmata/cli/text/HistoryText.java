package org.lemmata.cli.text;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Json;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.History;
import org.lemmata.track.HistoryChanges;
import org.lemmata.track.HistoryEntry;

/** The changes of a history as text, as JSON and as an exit code. */
public final class HistoryText {

    private static final String METHOD =
            "change points: minimum sum over stretches of min(((log speed - level) / noise)^2, 3.25^2) plus a penalty"
                + " for each change (biweight loss, Fearnhead and Rigaill 2019; exact optimum, Jackson et al. 2005)";

    private HistoryText() {}

    /**
     * Looks for changes in a history.
     *
     * @param file of the history, {@code jmh-results/history.jsonl}, which may be missing
     * @param json where the changes are written as JSON; null for nowhere
     * @return the exit code
     */
    public static int compare(PrintWriter out, Path file, @Nullable Path json) throws IOException {
        HistoryChanges history = HistoryChanges.of(Files.exists(file) ? History.read(file) : List.of());
        print(out, history);
        if (json != null) {
            AtomicFile.write(json, Json.indented(json(history)) + "\n");
        }
        return exitCode(history);
    }

    /** What {@code compare --history} ends with: 3 if no row has the runs that it takes. */
    static int exitCode(HistoryChanges history) {
        if (history.regression()) {
            return ExitCode.CONTRARY;
        }
        return history.conclusive() ? ExitCode.CLEAN : ExitCode.INCONCLUSIVE;
    }

    static void print(PrintWriter out, HistoryChanges history) {
        out.println(METHOD);
        long longEnough = history.series().stream()
                .filter(series -> series.runs().size() >= HistoryChanges.FEWEST_RUNS)
                .count();
        out.printf(
                Locale.ROOT,
                "rows: %d, of which %d have the %d runs it takes; one without a change shows one with probability"
                        + " %.2g%n",
                history.series().size(),
                longEnough,
                HistoryChanges.FEWEST_RUNS,
                history.falseAlarms());
        for (HistoryChanges.Series series : history.series()) {
            if (series.changes().isEmpty()) {
                continue;
            }
            out.println(name(series));
            for (HistoryChanges.Change change : series.changes().reversed()) {
                out.println("    " + line(series, change));
            }
        }
        if (history.series().stream().allMatch(series -> series.changes().isEmpty())) {
            out.println(longEnough == 0 ? "too few runs to look for changes" : "no changes");
        }
    }

    private static String name(HistoryChanges.Series series) {
        HistoryEntry.Row row = series.row();
        return Refuse.printable(row.benchmark().replace("org.lemmata.", "") + BenchmarkRow.parameters(row.params())
                        + " (" + row.mode())
                + ") on " + row.machine().cpu() + ", " + series.runs().size() + " runs"
                + (series.current() ? "" : ", not in the newest one");
    }

    private static String line(HistoryChanges.Series series, HistoryChanges.Change change) {
        int after = series.runs().size() - change.index();
        return String.format(
                Locale.ROOT,
                "%s %s: %.3g times as fast (%+.1f standard deviations) from %s on, commit %s, %d runs ago",
                change.isNew() ? "new" : "earlier",
                change.ratio() < 1 ? "slower" : "faster",
                change.ratio(),
                change.deviations(),
                change.first().time(),
                change.first().commit(),
                after);
    }

    static Map<String, Object> json(HistoryChanges history) {
        return Json.object(
                "method", METHOD,
                "falseAlarms", history.falseAlarms(),
                "exitCode", exitCode(history),
                "series", history.series().stream().map(HistoryText::json).toList());
    }

    private static Map<String, Object> json(HistoryChanges.Series series) {
        return Json.object(
                "benchmark", series.row().benchmark(),
                "mode", series.row().mode(),
                "params", series.row().params(),
                "cpu", series.row().machine().cpu(),
                "runs", series.runs().size(),
                "current", series.current(),
                "changes", series.changes().stream().map(HistoryText::json).toList());
    }

    private static Map<String, Object> json(HistoryChanges.Change change) {
        return Json.object(
                "time", change.first().time().toString(),
                "commit", change.first().commit(),
                "ratio", change.ratio(),
                "deviations", change.deviations(),
                "new", change.isNew());
    }
}
