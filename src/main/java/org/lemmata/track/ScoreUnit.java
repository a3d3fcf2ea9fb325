package org.lemmata.track;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The unit of a score that is a time per operation or a rate of operations, as JMH or kotlinx-benchmark spells it.
 *
 * @param isRate whether the score is operations per time, so that greater is faster
 * @param nanos the nanoseconds of its unit of time
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

    /** The unit of a text such as "ns/op", "ops/s" or "ops/sec"; empty for any other. */
    public static Optional<ScoreUnit> of(String text) {
        Matcher parts = SPELLING.matcher(text);
        if (!parts.matches() || (parts.group(1) == null) == (parts.group(3) == null)) {
            return Optional.empty();
        }
        boolean isRate = parts.group(1) != null;
        return Optional.ofNullable(NANOS.get(parts.group(2))).map(nanos -> new ScoreUnit(isRate, nanos));
    }

    /** What makes a score nanoseconds per operation, or operations per second. */
    public double scale() {
        return isRate ? 1e9 / nanos : nanos;
    }

    /** The time of an operation at a score of this unit. */
    double nanosPerOperation(double score) {
        return isRate ? nanos / score : nanos * score;
    }
}
