package org.lemmata.report;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.History;
import org.lemmata.track.History.HistoryEntry;
import org.lemmata.track.RunRecord;

/**
 * Data about the benchmarks from earlier runs.
 *
 * @param comparison the comparison with a baseline, either of speeds or of ratios within the run; null if there is none
 * @param noise runs of the same code against itself, by name
 * @param trends the trends of rows over the history, by {@link BenchmarkRow#sortedKey}
 * @param profiles the profiles of rows that were profiled, by the same key
 */
public record Tracking(
        @Nullable Comparison comparison,
        SequencedMap<String, Comparison> noise,
        Map<String, List<Run>> trends,
        Map<String, Profile> profiles) {

    public static final Tracking NONE = new Tracking(null, new LinkedHashMap<>(), Map.of(), Map.of());

    private static final int LATEST_RUNS = 200;

    /**
     * The URLs of profiler output for a row, relative to the page; empty if there is none.
     *
     * @param flameGraph the flame graph of async-profiler
     * @param text the output of JMH with the tables of its profilers
     */
    public record Profile(String flameGraph, String text) {
        static final Profile NONE = new Profile("", "");
    }

    /**
     * The speed of a row in one run.
     *
     * @param commit the recorded commit
     * @param time the recorded time
     * @param speed the speed, for example in operations per second
     */
    public record Run(String commit, String time, double speed) {}

    /**
     * For each row, its latest 200 runs in the history, oldest first, with the machine and settings of {@code record}.
     *
     * @param record the record of the run of {@code rows}
     */
    static Map<String, List<Run>> trends(List<HistoryEntry> history, List<BenchmarkRow> rows, RunRecord record) {
        Map<HistoryEntry.Row, List<HistoryEntry>> series = History.series(history);
        var trends = new HashMap<String, List<Run>>();
        for (BenchmarkRow row : rows) {
            HistoryEntry.of(row, record)
                    .map(entry -> series.get(entry.row()))
                    .ifPresent(found -> trends.put(row.sortedKey(), latest(found)));
        }
        return trends;
    }

    private static List<Run> latest(List<HistoryEntry> runs) {
        return runs.stream()
                .skip(Math.max(0, runs.size() - LATEST_RUNS))
                .map(run -> new Run(run.commit(), run.time().toString(), Math.exp(run.logSpeed())))
                .toList();
    }

    /** The profile of a row; {@link Profile#NONE} if it was not profiled. */
    Profile profile(String key) {
        return profiles.getOrDefault(key, Profile.NONE);
    }

    /** The compared rows by key. If several rows have one key, the most important verdict counts. */
    Map<String, ComparisonRow> compared() {
        var compared = new HashMap<String, ComparisonRow>();
        for (ComparisonRow row : comparison == null ? List.<ComparisonRow>of() : comparison.rows()) {
            compared.merge(row.id(), row, BinaryOperator.minBy(Comparator.comparing(ComparisonRow::verdict)));
        }
        return compared;
    }
}
