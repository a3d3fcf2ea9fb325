package org.lemmata.statistic;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A measured value, with the paper's value if there is one.
 *
 * @param name a description of the quantity, with the size: "invalid completions, N = 6"
 * @param value the result
 * @param unit "probability", "nats", "words", "" for a plain number
 * @param interval the interval of the value: exact, or at a level that its creator chooses
 * @param n the number of cases on which the value is based
 * @param reference the paper's value or bound, or null if there is none
 */
public record Measurement(
        String name,
        double value,
        String unit,
        Interval interval,
        long n,
        @Nullable Reference reference) {

    /** Units of numbers from 0 to 1, which {@link #text} does not print because the name states them. */
    private static final Set<String> SHARES = Set.of("probability", "rate");

    /** The relation that the measured value should have to the paper's value. */
    public enum Relation {
        AT_MOST("≤"),
        AT_LEAST("≥"),
        ABOUT("≈");

        private final String sign;

        Relation(String sign) {
            this.sign = sign;
        }

        /** The sign of the true relation between a value and its bound: the opposite sign if the bound fails. */
        private String sign(double value, double bound) {
            return this == AT_MOST && value > bound ? ">" : this == AT_LEAST && value < bound ? "<" : sign;
        }

        public String sign() {
            return sign;
        }
    }

    /** The paper's value: an upper bound, a lower bound, or an approximate value. */
    public record Reference(Relation relation, double value) {}

    /** An exact value over {@code n} cases, without a paper's value. */
    public static Measurement exact(String name, double value, String unit, long n) {
        return new Measurement(name, value, unit, Interval.exact(value), n, null);
    }

    /** A measurement whose value is the midpoint of {@code interval}. */
    public static Measurement middle(
            String name, String unit, Interval interval, long n, @Nullable Reference reference) {
        return new Measurement(name, interval.middle(), unit, interval, n, reference);
    }

    /** The mean of values, at least two, with Student's interval at 95%. */
    public static Measurement mean(String name, @Nullable Reference reference, double... values) {
        double mean = Arrays.stream(values).average().orElseThrow();
        return new Measurement(name, mean, "", Interval.mean(values), values.length, reference);
    }

    /** The share of {@code successes} among {@code n} trials, without a paper's value. */
    public static Measurement share(String name, int n, int successes) {
        double share = (double) successes / n;
        return new Measurement(name, share, "probability", Interval.proportion(n, successes), n, null);
    }

    /** One line with name, value, interval unless it is a point, unit unless it is a share, and the paper's value. */
    public String text() {
        return String.format(Locale.ROOT, "%s: %.4g", name, value)
                + (interval.low() < interval.high()
                        ? String.format(Locale.ROOT, " [%.4g, %.4g]", interval.low(), interval.high())
                        : "")
                + (unit.isEmpty() || SHARES.contains(unit) ? "" : " " + unit)
                + referenceText();
    }

    /** The relation that holds, and the paper's value; empty if there is no such value. */
    public String referenceText() {
        return reference == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        " %s %.4g",
                        reference.relation().sign(value, reference.value()),
                        reference.value());
    }

    /** The same value under another name. */
    public Measurement named(String other) {
        return new Measurement(other, value, unit, interval, n, reference);
    }

    /** The same value, whose name begins with {@code kind} and a dot. */
    public Measurement of(String kind) {
        return named(kind + "." + name);
    }

    /** An exact value over {@code n} cases with the paper's upper bound. */
    public static Measurement exactAtMost(String name, double value, String unit, long n, double bound) {
        return new Measurement(name, value, unit, Interval.exact(value), n, new Reference(Relation.AT_MOST, bound));
    }
}
