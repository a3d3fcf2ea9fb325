package org.lemmata.track;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import org.lemmata.statistic.ChangePoints;

/**
 * Where the rows of a history changed their speed for good, by {@link ChangePoints} over the logs of speeds.
 *
 * @param falseAlarms the probability, asked for, with which a series without any change shows one at this look: 0.01
 *     over all series of the newest run
 * @param series in the order in which they began
 */
public record HistoryChanges(double falseAlarms, List<Series> series) {

    /** Older runs are kept and not looked at: they cost time, and say little of today. */
    private static final int LATEST_RUNS = 200;

    /** Runs from which changes are looked for. */
    public static final int FEWEST_RUNS = 10;

    /** A change that has fewer runs after it, its own included, is new: it is found from the third one on. */
    private static final int SETTLED_RUNS = 6;

    /**
     * Of all series of the newest run together, at one look, up to 100 of them: {@link ChangePoints} goes no further.
     */
    private static final double ALARMS_TOGETHER = 0.01;

    /**
     * A change of one row.
     *
     * @param index of its first run within {@link Series#runs}
     * @param first that run
     * @param ratio the new level over the old one: less than 1 is slower
     * @param deviations the change in standard deviations of the runs
     * @param isNew whether at most 5 runs have the new level
     */
    public record Change(int index, HistoryEntry first, double ratio, double deviations, boolean isNew) {}

    /**
     * The runs of one row on one machine under one set of settings.
     *
     * @param runs the latest 200, from the oldest
     * @param changes from the oldest; none among fewer than 10 runs
     * @param current whether the newest run of the history is among them
     */
    public record Series(HistoryEntry.Row row, List<HistoryEntry> runs, List<Change> changes, boolean current) {

        public Series {
            runs = List.copyOf(runs);
            changes = List.copyOf(changes);
        }

        /** Whether the newest run has the row, and its newest change is new and slower. */
        public boolean regression() {
            return current && !changes.isEmpty() && changes.getLast().isNew && changes.getLast().ratio < 1;
        }
    }

    public HistoryChanges {
        series = List.copyOf(series);
    }

    /** The changes of a history; a run that was added twice counts once. */
    public static HistoryChanges of(List<HistoryEntry> history) {
        var rows = new LinkedHashMap<HistoryEntry.Row, TreeMap<Instant, HistoryEntry>>();
        for (HistoryEntry entry : history) {
            rows.computeIfAbsent(entry.row(), row -> new TreeMap<>()).put(entry.time(), entry);
        }
        Instant newest = history.stream()
                .map(HistoryEntry::time)
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
        // Others cannot alarm.
        long questions = rows.values().stream()
                .filter(runs -> runs.size() >= FEWEST_RUNS && runs.containsKey(newest))
                .count();
        double falseAlarms = Math.max(ALARMS_TOGETHER / Math.max(1, questions), 0.0001);
        var series = new ArrayList<Series>();
        rows.forEach((row, byTime) -> {
            List<HistoryEntry> runs = List.copyOf(byTime.values());
            List<HistoryEntry> latest = runs.subList(Math.max(0, runs.size() - LATEST_RUNS), runs.size());
            series.add(new Series(row, latest, changes(latest, falseAlarms), byTime.containsKey(newest)));
        });
        return new HistoryChanges(falseAlarms, series);
    }

    private static List<Change> changes(List<HistoryEntry> runs, double falseAlarms) {
        double[] speeds = runs.stream().mapToDouble(HistoryEntry::logSpeed).toArray();
        return ChangePoints.in(speeds, falseAlarms).steps().stream()
                .map(step -> new Change(
                        step.index(),
                        runs.get(step.index()),
                        Math.exp(step.after() - step.before()),
                        step.deviations(),
                        runs.size() - step.index() < SETTLED_RUNS))
                .toList();
    }

    /** Whether a row of the newest run has become slower of late. */
    public boolean regression() {
        return series.stream().anyMatch(Series::regression);
    }

    /** Whether there are runs enough of any row of the newest run. */
    public boolean conclusive() {
        return series.stream().anyMatch(each -> each.current && each.runs.size() >= FEWEST_RUNS);
    }
}
