package org.lemmata.track;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The unit of a time per operation or of a rate, in the spelling of JMH or kotlinx-benchmark.
 *
 * @param isRate whether the score is operations per time, so that greater is faster
 * @param nanos the unit of time in nanoseconds
 */
public record ScoreUnit(boolean isRate, double nanos) {

    private static final Pattern SPELLING = Pattern.compile("(ops/)?([a-z\u00b5\u03bc]+)(/op)?");

    private static final Map<String, Double> NANOS = Map.ofEntries(
            Map.entry("ns", 1.0),
            Map.entry("us", 1e3),
            Map.entry("\u00b5s", 1e3),
            Map.entry("\u03bcs", 1e3),
            Map.entry("ms", 1e6),
            Map.entry("s", 1e9),
            Map.entry("sec", 1e9),
            Map.entry("min", 6e10),
            Map.entry("hr", 3.6e12),
            Map.entry("day", 8.64e13));

    /** Parses a unit such as "ns/op", "ops/s" or "ops/sec"; empty for any other text. */
    public static Optional<ScoreUnit> of(String text) {
        Matcher parts = SPELLING.matcher(text);
        if (!parts.matches() || (parts.group(1) == null) == (parts.group(3) == null)) {
            return Optional.empty();
        }
        boolean isRate = parts.group(1) != null;
        return Optional.ofNullable(NANOS.get(parts.group(2))).map(nanos -> new ScoreUnit(isRate, nanos));
    }

    /** The factor that converts a score to nanoseconds per operation, or to operations per second. */
    public double scale() {
        return isRate ? 1e9 / nanos : nanos;
    }

    /** The nanoseconds per operation for a score in this unit. */
    double nanosPerOperation(double score) {
        return isRate ? nanos / score : nanos * score;
    }
}
