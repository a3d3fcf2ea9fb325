package org.lemmata.report;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.History;
import org.lemmata.track.HistoryEntry;
import org.lemmata.track.RunRecord;

/**
 * What earlier runs say of the benchmarks.
 *
 * @param comparison with a baseline: of speeds, or of the run's ratios; null if there was none
 * @param noise runs of the same code against itself, by name
 * @param trends of rows over the runs of the history
 * @param profiles of rows that were profiled
 */
public record Tracking(
        @Nullable Comparison comparison,
        SequencedMap<String, Comparison> noise,
        Map<RowKey, List<Run>> trends,
        Map<RowKey, Profile> profiles) {

    /** Of a run without a past. */
    public static final Tracking NONE = new Tracking(null, new LinkedHashMap<>(), Map.of(), Map.of());

    private static final int LATEST_RUNS = 200;

    public Tracking {
        noise = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(noise));
        trends = Map.copyOf(trends);
        profiles = Map.copyOf(profiles);
    }

    /**
     * What tells a row from others, from run to run.
     *
     * @param benchmark class and method, qualified
     * @param mode JMH's short name
     */
    public record RowKey(String benchmark, String mode, Map<String, String> params) {
        public RowKey {
            params = Map.copyOf(new HashMap<>(params));
        }

        /** That of a row. */
        public static RowKey of(BenchmarkRow row) {
            return new RowKey(row.benchmark(), row.mode(), row.params());
        }

        public static RowKey of(ComparisonRow row) {
            return new RowKey(row.benchmark(), row.mode(), row.params());
        }

        /**
         * What a row is called outside of Lemmata, {@code org.lemmata.X.vector columns=1024 rows=8 (thrpt)}: parameters
         * by name, as JMH's order is not part of the key.
         */
        public String metric() {
            return benchmark + BenchmarkRow.parameters(new TreeMap<>(params)) + " (" + mode + ")";
        }
    }

    /**
     * What profilers left of a row: addresses relative to the page, empty where there is none.
     *
     * @param flameGraph by async-profiler
     * @param text what JMH printed, with the tables of its profilers
     */
    public record Profile(String flameGraph, String text) {
        static final Profile NONE = new Profile("", "");
    }

    /**
     * A run of a row.
     *
     * @param commit and time as recorded
     * @param speed in units a second or the like: greater is faster
     */
    public record Run(String commit, String time, double speed) {}

    /**
     * The latest 200 runs, from the oldest, of those rows that the history knows on this machine and under their
     * settings.
     *
     * @param record of the run that {@code rows} come from
     */
    static Map<RowKey, List<Run>> trends(List<HistoryEntry> history, List<BenchmarkRow> rows, RunRecord record) {
        Map<HistoryEntry.Row, List<HistoryEntry>> series = History.series(history);
        var trends = new HashMap<RowKey, List<Run>>();
        for (BenchmarkRow row : rows) {
            HistoryEntry.of(row, record)
                    .map(entry -> series.get(entry.row()))
                    .ifPresent(found -> trends.put(RowKey.of(row), latest(found)));
        }
        return trends;
    }

    private static List<Run> latest(List<HistoryEntry> runs) {
        return runs.stream()
                .skip(Math.max(0, runs.size() - LATEST_RUNS))
                .map(run -> new Run(run.commit(), run.time().toString(), Math.exp(run.logSpeed())))
                .toList();
    }

    /** Of a row that nobody profiled, {@link Profile#NONE}. */
    Profile profile(RowKey key) {
        return profiles.getOrDefault(key, Profile.NONE);
    }

    /** What the comparison says of each row, first what is to be looked at. */
    Map<RowKey, ComparisonRow> compared() {
        var compared = new HashMap<RowKey, ComparisonRow>();
        for (ComparisonRow row : comparison == null ? List.<ComparisonRow>of() : comparison.rows()) {
            compared.merge(RowKey.of(row), row, BinaryOperator.minBy(Comparator.comparing(ComparisonRow::verdict)));
        }
        return compared;
    }
}
