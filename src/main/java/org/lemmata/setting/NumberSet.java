package org.lemmata.setting;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lemmata.argument.Refuse;

/**
 * The numbers that a setting allows.
 *
 * @param text the text for display: "integers from 1 to 128", "numbers within (0, 1]"
 */
public record NumberSet(String text, DoublePredicate predicate) {

    private static final Pattern INTEGERS = Pattern.compile("(-?\\d+)\\.\\.(-?\\d+)");
    private static final Pattern INTERVAL = Pattern.compile("([\\[(])(\\S+), (\\S+)([])])");
    private static final String EXCEPT = " but ";

    /**
     * Parses a set: {@code 1..128} for integers, {@code (0, 1]} for an interval, whose ends may be infinite
     * ({@code inf}), or a list such as {@code 2, 4, 8}. Each may be followed by an exception, {@code but 0}.
     */
    static NumberSet of(String text) {
        int except = text.indexOf(EXCEPT);
        if (except >= 0) {
            NumberSet all = of(text.substring(0, except));
            String without = text.substring(except + EXCEPT.length());
            return new NumberSet(
                    all.text + " other than " + without,
                    all.predicate.and(of(without).predicate.negate()));
        }
        Matcher integers = INTEGERS.matcher(text);
        if (integers.matches()) {
            int low = Integer.parseInt(integers.group(1));
            int high = Integer.parseInt(integers.group(2));
            return new NumberSet(
                    "integers from " + low + " to " + high, x -> x == Math.rint(x) && x >= low && x <= high);
        }
        Matcher interval = INTERVAL.matcher(text);
        if (interval.matches()) {
            double low = end(interval.group(2));
            double high = end(interval.group(3));
            boolean withLow = interval.group(1).equals("[");
            boolean withHigh = interval.group(4).equals("]");
            return new NumberSet(
                    Double.isInfinite(low) && Double.isInfinite(high) ? "numbers" : "numbers within " + text,
                    x -> (withLow ? x >= low : x > low) && (withHigh ? x <= high : x < high));
        }
        List<Double> list = read(text, text, "numbers");
        return new NumberSet(text, list::contains);
    }

    private static double end(String text) {
        return text.endsWith("inf")
                ? text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY
                : number(text);
    }

    /** Whether the set contains a number. */
    public boolean contains(double x) {
        return predicate.test(x);
    }

    List<Double> read(String given, String name) {
        List<Double> numbers = read(given, name, text);
        Refuse.when(!numbers.stream().allMatch(this::contains), name, text, Refuse.quoted(given));
        return numbers;
    }

    /**
     * Parses decimals, fractions and ranges, separated by commas: {@code -1/4,0.5,2..8 by 2}.
     *
     * @param name the name of the setting, for error messages
     */
    static List<Double> read(String given, String name, String expected) {
        var numbers = new ArrayList<Double>();
        for (String part : given.split(",", -1)) {
            if (ValueRange.isRange(part)) {
                ValueRange.values(
                                part,
                                problem -> new IllegalArgumentException(
                                        name + ": expected " + problem + ", got " + Refuse.quoted(part)))
                        .forEach(value -> numbers.add(value.doubleValue()));
            } else {
                double number = number(part.strip());
                Refuse.when(!Double.isFinite(number), name, expected, Refuse.quoted(given));
                numbers.add(number);
            }
        }
        return numbers;
    }

    /** A decimal without exponent that parses to the same number. */
    public static String shown(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e9
                ? Long.toString((long) number)
                : new BigDecimal(Double.toString(number)).toPlainString();
    }

    /** Parses a decimal or a fraction, such as {@code -1/4}; NaN if it is neither. */
    static double number(String text) {
        int slash = text.indexOf('/');
        try {
            return slash < 0
                    ? Refuse.number(text)
                    : Refuse.number(text.substring(0, slash)) / Refuse.number(text.substring(slash + 1));
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
