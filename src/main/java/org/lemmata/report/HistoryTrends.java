package org.lemmata.report;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.HistoryChanges;
import org.lemmata.track.HistoryEntry;
import org.lemmata.track.RunRecord;

/** The history of a page's rows, as the page draws it. */
public final class HistoryTrends {

    private HistoryTrends() {}

    /**
     * The trend of each row that the history knows on this machine and under its settings.
     *
     * @param record of the run that {@code rows} come from
     */
    public static Map<Tracking.RowKey, Tracking.Trend> of(
            HistoryChanges history, List<BenchmarkRow> rows, RunRecord record) {
        var series = new HashMap<HistoryEntry.Row, HistoryChanges.Series>();
        history.series().forEach(each -> series.put(each.row(), each));
        var trends = new HashMap<Tracking.RowKey, Tracking.Trend>();
        for (BenchmarkRow row : rows) {
            HistoryEntry.of(row, record)
                    .map(entry -> series.get(entry.row()))
                    .ifPresent(found -> trends.put(Tracking.RowKey.of(row), trend(found)));
        }
        return trends;
    }

    private static Tracking.Trend trend(HistoryChanges.Series series) {
        return new Tracking.Trend(
                series.runs().stream()
                        .map(run -> new Tracking.Run(run.commit(), run.time().toString(), Math.exp(run.logSpeed())))
                        .toList(),
                series.changes().stream().map(HistoryChanges.Change::index).toList());
    }
}
