package org.lemmata.report;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import org.lemmata.statistic.Interval;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.ComparisonRow;
import org.lemmata.track.PortableComparison;

/**
 * What earlier runs say of the benchmarks.
 *
 * @param comparison with a baseline, if there was one
 * @param portable the run's ratios beside those of the portable baseline, or why they were not compared; null if nobody
 *     asked
 * @param noise runs of the same code against itself, by name
 * @param trends of rows over the runs of the history
 * @param profiles of rows that were profiled
 */
public record Tracking(
        @Nullable Comparison comparison,
        @Nullable PortableComparison portable,
        SequencedMap<String, org.lemmata.track.Comparison> noise,
        Map<RowKey, Trend> trends,
        Map<RowKey, Profile> profiles) {

    /** Of a run without a past. */
    public static final Tracking NONE = new Tracking(null, null, Map.of(), Map.of());

    public Tracking {
        noise = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(noise));
        trends = Map.copyOf(trends);
        profiles = Map.copyOf(profiles);
    }

    /** Without runs of the same code against itself. */
    public Tracking(
            @Nullable Comparison comparison,
            @Nullable PortableComparison portable,
            Map<RowKey, Trend> trends,
            Map<RowKey, Profile> profiles) {
        this(comparison, portable, new LinkedHashMap<>(), trends, profiles);
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
            return new RowKey(row.benchmarkClass() + "." + row.method(), row.mode(), row.params());
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

    /** What a comparison says of a row. */
    public enum Verdict {
        SLOWER(1, "slower", "refuted", "▼"),
        INCONCLUSIVE(2, "inconclusive", "inconclusive", "?"),
        FASTER(3, "faster", "supported", "▲"),
        SAME(4, "same", "same", "="),
        /** The row is on one side alone, or its sides may not be compared. */
        NOT_COMPARED(5, "not compared", "same", "–");

        private final int rank;
        private final String word;
        private final String style;
        private final String mark;

        Verdict(int rank, String word, String style, String mark) {
            this.rank = rank;
            this.word = word;
            this.style = style;
            this.mark = mark;
        }

        /** A row that is on one side alone has a note that says so. */
        public static Verdict of(ComparisonRow.Verdict verdict) {
            return switch (verdict) {
                case SLOWER -> SLOWER;
                case INCONCLUSIVE -> INCONCLUSIVE;
                case FASTER -> FASTER;
                case SAME -> SAME;
                case GONE, NEW, NOT_COMPARED -> NOT_COMPARED;
            };
        }

        public static Verdict of(PortableComparison.Verdict verdict) {
            return switch (verdict) {
                case SLOWER -> SLOWER;
                case INCONCLUSIVE -> INCONCLUSIVE;
                case FASTER -> FASTER;
                case SAME -> SAME;
                case NOT_COMPARED -> NOT_COMPARED;
            };
        }

        /** What is to be looked at first has the minimum. */
        public int rank() {
            return rank;
        }

        public String word() {
            return word;
        }

        /** The class of its badge. */
        public String style() {
            return style;
        }

        /** A sign of its own: its colour is never the only difference. */
        public String mark() {
            return mark;
        }
    }

    /**
     * A comparison with a baseline.
     *
     * @param baseline its name
     * @param changes what differs between the two: machine, settings, a line each
     * @param refused why the two were not compared; empty if they were
     */
    public record Comparison(String baseline, List<String> changes, String refused, List<Row> rows) {
        public Comparison {
            changes = List.copyOf(changes);
            rows = List.copyOf(rows);
        }

        /** As the page shows it. */
        public static Comparison of(org.lemmata.track.Comparison comparison) {
            return new Comparison(
                    comparison.baseline(),
                    comparison.differences(),
                    comparison.refused(),
                    comparison.rows().stream().map(Row::of).toList());
        }
    }

    /**
     * A row of it.
     *
     * @param ratio how many times as fast as the baseline, whatever the mode; NaN where it was not compared
     * @param interval of it
     * @param margin within which a ratio counts as the same: 0.05 for 5%
     * @param forks a side that a verdict would take, of an inconclusive row
     * @param note anything else
     */
    public record Row(
            RowKey key,
            Verdict verdict,
            double ratio,
            Interval interval,
            double margin,
            OptionalInt forks,
            String note) {

        public static Row of(ComparisonRow row) {
            return new Row(
                    new RowKey(row.benchmark(), row.mode(), row.params()),
                    Verdict.of(row.verdict()),
                    row.ratio(),
                    row.interval(),
                    row.margin(),
                    row.forksNeeded(),
                    row.note());
        }
    }

    /**
     * The runs of a row, from the oldest.
     *
     * @param changes where a new level begins, as indices of runs
     */
    public record Trend(List<Run> runs, List<Integer> changes) {
        public Trend {
            runs = List.copyOf(runs);
            changes = List.copyOf(changes);
            for (int change : changes) {
                if (change < 1 || change >= runs.size()) {
                    throw new IllegalArgumentException(
                            "changes: expected indices from 1 to " + (runs.size() - 1) + ", got " + change);
                }
            }
        }
    }

    /**
     * A run of a row.
     *
     * @param commit and time as recorded
     * @param speed in units a second or the like: greater is faster
     */
    public record Run(String commit, String time, double speed) {}

    /** Of a row that nobody profiled, {@link Profile#NONE}. */
    Profile profile(RowKey key) {
        return profiles.getOrDefault(key, Profile.NONE);
    }

    /** What the comparison says of a row; null if it does not speak of it. */
    @Nullable
    Row row(RowKey key) {
        return comparison == null
                ? null
                : comparison.rows.stream()
                        .filter(row -> row.key.equals(key))
                        .findFirst()
                        .orElse(null);
    }
}
