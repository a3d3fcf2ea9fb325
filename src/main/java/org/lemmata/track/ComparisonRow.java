package org.lemmata.track;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.RatioEstimate;

/**
 * The result of a comparison for one benchmark.
 *
 * @param benchmark the qualified name of the method, with {@code :metric} for a secondary metric
 * @param params the parameters, in JMH's order
 * @param ratio the speed relative to the baseline, in every mode; NaN if unknown
 * @param interval the confidence interval of the ratio
 * @param noiseFloor the smallest ratio above 1 that these forks can distinguish from 1; NaN if unknown
 * @param margin the relative change up to which a ratio counts as the same: 0.02 for 2%
 * @param forks the number of forks per side; the smaller one if they differ
 * @param forksNeeded the number of forks per side that an inconclusive row needs for a verdict; null for other rows, or
 *     if the number is unknown or at least 1,000
 * @param note other remarks; may be empty
 * @param within both ratios, for a row that compares ratios within runs; null for a row that compares speeds
 */
public record ComparisonRow(
        String benchmark,
        String mode,
        SequencedMap<String, String> params,
        Change verdict,
        double ratio,
        @JsonUnwrapped Interval interval,
        double noiseFloor,
        double margin,
        int forks,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer forksNeeded,
        String note,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Within within) {

    /** Printed in place of an interval that is not {@linkplain #isInformative() informative}. */
    public static final String NO_INFORMATION = "no information";

    private static final double MOST = 100;

    /** The interval of an unknown ratio. */
    static final Interval UNKNOWN = new Interval(Double.NaN, Double.NaN);

    /** Verdicts, the most urgent first. */
    public enum Change {
        /** The whole interval lies below 1 / (1 + margin). */
        SLOWER("slower"),
        /** Inconclusive, but the interval of this row lies below 1 without the correction for several rows. */
        PROBABLY_SLOWER("probably slower"),
        /** Too few iterations of the two sides overlapped to be representative. */
        LEFT_OUT("mostly left out"),
        /** The interval permits no verdict, there is no interval, or the run was cut. */
        INCONCLUSIVE("inconclusive"),
        /** Only the baseline has the row, or has it with other parameters. */
        GONE("gone"),
        /** The whole interval lies above 1 + margin. */
        FASTER("faster"),
        /** Inconclusive, but the interval of this row lies above 1 without the correction for several rows. */
        PROBABLY_FASTER("probably faster"),
        /** The row is slower or probably slower, but {@linkplain AcceptedRegressions accepted}. */
        ACCEPTED("slower, accepted"),
        /** The whole interval lies within the margin. */
        SAME("same"),
        /** Only the current run has the row. */
        NEW("new"),
        /** JMH wrote a histogram instead of samples, or ratios have other settings than the baseline. */
        NOT_COMPARED("not compared");

        private final String word;

        Change(String word) {
            this.word = word;
        }

        @JsonValue
        public String word() {
            return word;
        }

        /** Whether more forks may lead to a verdict. */
        public boolean isOpen() {
            return this == INCONCLUSIVE || this == PROBABLY_SLOWER || this == PROBABLY_FASTER;
        }

        /**
         * This verdict. If it is inconclusive, the tendency of {@code alone}: the interval of the row without the
         * correction for several rows.
         */
        Change or(Interval alone) {
            if (this != INCONCLUSIVE) {
                return this;
            }
            return alone.high() < 1 ? PROBABLY_SLOWER : alone.low() > 1 ? PROBABLY_FASTER : INCONCLUSIVE;
        }

        static Change of(Interval interval, double margin) {
            double faster = 1 + margin;
            double slower = 1 / faster;
            if (interval.high() < slower) {
                return SLOWER;
            }
            if (interval.low() > faster) {
                return FASTER;
            }
            return interval.low() >= slower && interval.high() <= faster ? SAME : INCONCLUSIVE;
        }
    }

    /**
     * Two ratios within runs, of the baseline's run and of the current run.
     *
     * @param over the reference by whose speed the speed of the benchmark is divided in both runs, such as "scalar"
     * @param beside a few words that describe the baseline's run
     * @param before the ratio in the baseline's run; NaN if there is none
     * @param now the ratio in the current run; NaN if there is none
     */
    public record Within(String over, String beside, double before, double now) {}

    /** The row of a benchmark without a ratio. */
    static ComparisonRow without(
            String benchmark,
            String mode,
            SequencedMap<String, String> params,
            Change verdict,
            double margin,
            int forks,
            String note,
            @Nullable Within within) {
        double none = Double.NaN;
        return new ComparisonRow(
                benchmark, mode, params, verdict, none, UNKNOWN, none, margin, forks, null, note, within);
    }

    static ComparisonRow without(BenchmarkRow row, Change verdict, double margin, String note) {
        int forks = row.samples().size();
        return without(row.benchmark(), row.mode(), row.params(), verdict, margin, forks, note, null);
    }

    /** This row with the estimate of its ratio and the interval at {@code level}. */
    ComparisonRow with(RatioEstimate estimate, double level) {
        OptionalInt needed = verdict.isOpen() ? estimate.forksFor(margin, level, forks) : OptionalInt.empty();
        return new ComparisonRow(
                benchmark,
                mode,
                params,
                verdict,
                estimate.ratio(),
                estimate.interval(level),
                estimate.noiseFloor(level),
                margin,
                forks,
                needed.isPresent() ? needed.getAsInt() : null,
                note,
                within);
    }

    ComparisonRow withNote(String more) {
        return with(verdict, more);
    }

    ComparisonRow with(Change another, String more) {
        String notes = note.isEmpty() || more.isEmpty() ? note + more : note + "; " + more;
        return new ComparisonRow(
                benchmark,
                mode,
                params,
                another,
                ratio,
                interval,
                noiseFloor,
                margin,
                forks,
                forksNeeded,
                notes,
                within);
    }

    /** Whether the ends of the interval differ by less than a factor of 10,000. */
    public boolean isInformative() {
        return interval.high() < MOST * MOST * interval.low();
    }

    /** The name of the row in all runs and exports, with parameters sorted by name. */
    public String id() {
        return benchmark + BenchmarkRow.parameters(new TreeMap<>(params)) + " (" + mode + ")";
    }

    /** The name without packages, such as "SoftmaxBenchmark.vector columns=1024 (thrpt)". */
    public String shortName() {
        return Refuse.printable(benchmark.replaceFirst("^[^:]*\\.(?=[^.:]*\\.[^.:]*(:.*)?$)", "")
                + BenchmarkRow.parameters(params) + " (" + mode + ")" + (within == null ? "" : " over " + within.over));
    }
}
