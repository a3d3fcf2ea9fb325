package org.lemmata.argument;

/** Rejects illegal arguments with a one-line message: the argument's name, the expected value and the actual one. */
public final class Refuse {

    private static final int LONGEST_QUOTE = 60;

    private Refuse() {}

    /** A text in quotes, {@linkplain #shown(String) shortened}; for error messages. */
    public static String quoted(String text) {
        return "'" + shown(text) + "'";
    }

    /** The first 60 characters of a text, {@linkplain #printable printable}, and … if it is longer; for messages. */
    public static String shown(String text) {
        return shown(text, LONGEST_QUOTE);
    }

    /** {@link #shown(String)} with the first {@code limit} characters. */
    public static String shown(String text, int limit) {
        String start = text.codePointCount(0, text.length()) <= limit
                ? text
                : text.substring(0, text.offsetByCodePoints(0, limit)) + "…";
        return printable(start);
    }

    /** A library's message, {@linkplain #printable printable}; texts in single quotes are cut to 60 characters. */
    public static String withShortQuotes(String message) {
        return printable(message.replaceAll("(?<=[ (])'([^']{" + LONGEST_QUOTE + "})[^']+'", "'$1…'"));
    }

    /**
     * The text with question marks in place of characters that a terminal would interpret or not show: control and
     * format characters, such as marks that change the direction of writing, and unpaired surrogates.
     */
    public static String printable(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}]", "?");
    }

    /**
     * Returns the text of a number unchanged. Rejects a trailing f, F, d or D, which only Java's parsers accept.
     *
     * @throws NumberFormatException if it ends in one of them
     */
    public static String suffix(String number) {
        if (number.matches(".*[dDfF]\\s*")) {
            throw new NumberFormatException(number);
        }
        return number;
    }

    /**
     * Parses a binary64 number without a {@linkplain #suffix suffix}.
     *
     * @throws NumberFormatException if the text is not a number, or {@linkplain #vanishes vanishes}
     */
    public static double number(String text) {
        double number = Double.parseDouble(suffix(text));
        if (vanishes(text)) {
            throw new NumberFormatException(text);
        }
        return number;
    }

    /** Whether a text is a decimal number other than 0, with a negative exponent, that binary64 would round to 0. */
    public static boolean vanishes(String text) {
        return text.matches("[-+]?[0-9.]*[1-9][0-9.]*[eE]-[0-9]+") && Double.parseDouble(text) == 0;
    }

    /**
     * Throws if {@code wrong}.
     *
     * @throws IllegalArgumentException with the message {@code name: expected ..., got ...}
     */
    public static void when(boolean wrong, String name, String expected, Object got) {
        if (wrong) {
            throw new IllegalArgumentException(name + ": expected " + expected + ", got " + got);
        }
    }

    /** {@link #when(boolean, String, String, Object)} for an integer. */
    public static void when(boolean wrong, String name, String expected, long got) {
        if (wrong) {
            when(true, name, expected, (Object) got);
        }
    }

    /** {@link #when(boolean, String, String, Object)} for a floating-point number. */
    public static void when(boolean wrong, String name, String expected, double got) {
        if (wrong) {
            when(true, name, expected, (Object) got);
        }
    }

    /** Rejects an integer below {@code minimum}. */
    public static void below(String name, long value, long minimum) {
        if (value < minimum) {
            when(true, name, "at least " + minimum, value);
        }
    }

    /** Rejects an integer outside [minimum, maximum]. */
    public static void outside(String name, long value, long minimum, long maximum) {
        if (value < minimum || value > maximum) {
            when(true, name, minimum + " to " + maximum, value);
        }
    }
}
