package org.lemmata.setting;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;

/**
 * A type of values that are parsed from text, given as {@code name=value} or in a file.
 *
 * @param expected the expected form, for error messages
 * @param mayBeQuoted whether a value may be in quotes in a YAML file, in which quotes mark a text
 * @param reader parses a text; for an illegal text it returns empty or throws {@link NumberFormatException}
 */
public record ValueType<T>(String expected, boolean mayBeQuoted, Function<String, Optional<T>> reader) {

    /** Any finite number. */
    public static final ValueType<Double> NUMBER = number("a number", x -> true);

    public static final ValueType<Double> POSITIVE = number("a number above 0", x -> x > 0);
    public static final ValueType<Double> NOT_NEGATIVE = number("a number from 0", x -> x >= 0);
    public static final ValueType<Double> SHARE = number("a number from 0 to 1", x -> x >= 0 && x <= 1);
    public static final ValueType<Double> FRACTION = number("a number from 0 to below 1", x -> x >= 0 && x < 1);

    /** A number that may be too large for {@code int}; messages then name the bound. */
    private static final Pattern TOO_LONG = Pattern.compile("\\+?[0-9]{10,}");

    /** An integer within [minimum, maximum]. */
    public static ValueType<Integer> integer(int minimum, int maximum) {
        String to = maximum == Integer.MAX_VALUE ? "" : " to " + maximum;
        return new ValueType<>(
                "an integer from " + minimum + to,
                false,
                text -> Optional.of(Integer.valueOf(text)).filter(value -> value >= minimum && value <= maximum));
    }

    /** A seed: any 64-bit integer. */
    public static ValueType<Long> seed() {
        return new ValueType<>("an integer of 64 bits", false, text -> Optional.of(Long.valueOf(text)));
    }

    /** A finite number that is {@code legal}. */
    public static ValueType<Double> number(String expected, DoublePredicate legal) {
        return new ValueType<>(
                expected,
                false,
                text -> Optional.of(Refuse.number(text)).filter(value -> Double.isFinite(value) && legal.test(value)));
    }

    public static ValueType<Boolean> flag() {
        return new ValueType<>("true or false", false, text -> switch (text) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        });
    }

    /** One of the constants, in lower case with hyphens. */
    public static <E extends Enum<E>> ValueType<E> choice(List<E> constants) {
        String words = constants.stream().map(ValueType::word).collect(Collectors.joining(", "));
        return new ValueType<>(
                "one of " + words,
                true,
                text -> constants.stream()
                        .filter(constant -> word(constant).equals(text))
                        .findFirst());
    }

    /** A constant's name in lower case with hyphens. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static ValueType<String> text(String expected) {
        return new ValueType<>(expected, true, Optional::of);
    }

    /** The expected form, for an error message about {@code text}. */
    public String expected(String text) {
        boolean unbounded = expected.matches("an integer from -?[0-9]+");
        return unbounded && TOO_LONG.matcher(text).matches()
                ? expected + " to " + Integer.MAX_VALUE
                : Refuse.vanishes(text) ? expected + " that binary64 does not round to 0" : expected;
    }

    /** This type with another text for the expected form. */
    public ValueType<T> expecting(String other) {
        return new ValueType<>(other, mayBeQuoted, reader);
    }

    /** Parses a text; empty if it is not of this type. */
    public Optional<T> read(String text) {
        try {
            return reader.apply(text);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
