package org.lemmata.track;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.statistic.Interval;

/**
 * What a comparison says of a benchmark.
 *
 * @param benchmark class and method, qualified
 * @param mode JMH's short name
 * @param params in JMH's order
 * @param ratio how many times as fast as the baseline it is now, whatever the mode; NaN where that is not known
 * @param interval of it; NaN likewise
 * @param noiseFloor the smallest ratio above 1 that these forks tell from 1; NaN likewise
 * @param margin within which a ratio counts as the same: 0.02 for 2%
 * @param forks of the side that has fewer
 * @param forksNeeded a side, for a verdict, of an inconclusive row; null if none below 1,000 would do
 * @param note what else is to be said; may be empty
 * @param within of a row that is itself a ratio within one run; null of a speed
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

    /** In place of an interval that is not {@linkplain #isInformative() informative}. */
    public static final String NO_INFORMATION = "no information";

    private static final double MOST = 100;

    /** Of a ratio that is not known. */
    static final Interval UNKNOWN = new Interval(Double.NaN, Double.NaN);

    /** What is to be looked at first comes first. */
    public enum Change {
        /** The whole interval lies below 1 / (1 + margin). */
        SLOWER("slower"),
        /** No verdict yet; the interval of this row alone, at 95%, lies below 1. */
        PROBABLY_SLOWER("probably slower"),
        /** Most iterations of the two sides did not run together: what is left may be no fair part of them. */
        LEFT_OUT("mostly left out"),
        /** The interval does not decide, or the scores give none. */
        INCONCLUSIVE("inconclusive"),
        /** The baseline has the row, the current run has not. */
        GONE("gone"),
        /** The whole interval lies above 1 + margin. */
        FASTER("faster"),
        /** No verdict yet; the interval of this row alone, at 95%, lies above 1. */
        PROBABLY_FASTER("probably faster"),
        /** Slower, which a file of {@linkplain AcceptedRegressions accepted regressions} says may be so. */
        ACCEPTED("slower, accepted"),
        /** The whole interval lies within the margin. */
        SAME("same"),
        /** The current run has the row, the baseline has not. */
        NEW("new"),
        /** JMH kept no samples of it, only a histogram. */
        NOT_COMPARED("not compared");

        private final String word;

        Change(String word) {
            this.word = word;
        }

        /** For people: "not compared". */
        @JsonValue
        public String word() {
            return word;
        }

        /** Whether more forks may lead to a verdict. */
        public boolean isOpen() {
            return this == INCONCLUSIVE || this == PROBABLY_SLOWER || this == PROBABLY_FASTER;
        }

        /** The same where it decides; else what the interval of the row alone says. */
        Change or(Interval alone) {
            if (this != INCONCLUSIVE) {
                return this;
            }
            return alone.high() < 1 ? PROBABLY_SLOWER : alone.low() > 1 ? PROBABLY_FASTER : INCONCLUSIVE;
        }

        /** That of an interval of the ratio. */
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
     * What a ratio within one run is compared with.
     *
     * @param over what the benchmark is divided by, in either run: "scalar"
     * @param beside the run whose ratio is the baseline, in a few words
     * @param before the ratio in that run; NaN where it has none
     * @param now that in the current run; NaN likewise
     */
    public record Within(String over, String beside, double before, double now) {}

    public ComparisonRow {
        params = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(params));
    }

    /** A row without a ratio. */
    static ComparisonRow without(BenchmarkRow row, Change verdict, double margin, String note) {
        return new ComparisonRow(
                row.benchmark(),
                row.mode(),
                row.params(),
                verdict,
                Double.NaN,
                UNKNOWN,
                Double.NaN,
                margin,
                row.samples().size(),
                null,
                note,
                null);
    }

    /** A benchmark that was not measured; its mode is not known. */
    static ComparisonRow without(BenchmarkSession.Unmeasured benchmark, double margin) {
        return new ComparisonRow(
                benchmark.benchmark(),
                "not measured",
                benchmark.params(),
                benchmark.verdict(),
                Double.NaN,
                UNKNOWN,
                Double.NaN,
                margin,
                0,
                null,
                benchmark.why(),
                null);
    }

    /** The same with one more thing to be said; empty for nothing. */
    ComparisonRow withNote(String more) {
        return with(verdict, more);
    }

    /** The same with another verdict, and one more thing to be said. */
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

    /** Whether the interval reaches less than a factor of 100 to either side. */
    public boolean isInformative() {
        return interval.high() < MOST * MOST * interval.low();
    }

    /** What the row is called in every run and every export: parameters by name. */
    public String id() {
        return benchmark + BenchmarkRow.parameters(new TreeMap<>(params)) + " (" + mode + ")";
    }

    /** Class and method without their packages, parameters, mode: "SoftmaxBenchmark.vector columns=1024 (thrpt)". */
    public String shortName() {
        return Refuse.printable(benchmark.replaceFirst("^[^:]*\\.(?=[^.:]*\\.[^.:]*(:.*)?$)", "")
                + BenchmarkRow.parameters(params) + " (" + mode + ")" + (within == null ? "" : " over " + within.over));
    }
}
