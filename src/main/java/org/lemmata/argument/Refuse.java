package org.lemmata.argument;

/** Rejects illegal arguments with a one-line message: the argument's name, the expected value and the actual one. */
public final class Refuse {

    private static final int LONGEST_QUOTE = 60;

    private Refuse() {}

    /** A user's text in quotes, for error messages. */
    public static String quoted(String text) {
        return "'" + shown(text) + "'";
    }

    /** The first 60 characters of a text, made {@linkplain #printable printable}; for error messages. */
    public static String shown(String text) {
        return shown(text, LONGEST_QUOTE);
    }

    /** The first {@code limit} characters of a text, made {@linkplain #printable printable}; for a message. */
    public static String shown(String text, int limit) {
        String start = text.codePointCount(0, text.length()) <= limit
                ? text
                : text.substring(0, text.offsetByCodePoints(0, limit)) + "…";
        return printable(start);
    }

    /** A library's message with its quotations shortened. */
    public static String withShortQuotes(String message) {
        return printable(message.replaceAll("(?<=[ (])'([^']{" + LONGEST_QUOTE + "})[^']+'", "'$1…'"));
    }

    /**
     * The text with question marks in place of characters that a terminal would interpret: control characters, and
     * marks that change the direction of writing.
     */
    public static String printable(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}]", "?");
    }

    /**
     * Returns the text of a number unchanged. Rejects a trailing f or d, which only Java's parsers accept.
     *
     * @throws NumberFormatException if it ends in f or d
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
     * @throws NumberFormatException if the text is not a number, or is not 0 but would be rounded to 0
     */
    public static double number(String text) {
        double number = Double.parseDouble(suffix(text));
        if (vanishes(text)) {
            throw new NumberFormatException(text);
        }
        return number;
    }

    /** Whether a text is a number other than 0 that binary64 would round to 0. */
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
