package org.lemmata.argument;

/**
 * Refuses an argument in one line: its name, what was expected, and what came. Nothing is made of one that is right.
 */
public final class Refuse {

    private static final int LONGEST_QUOTE = 60;

    private Refuse() {}

    /** A text that came, as a message quotes it. */
    public static String quoted(String text) {
        return "'" + shown(text) + "'";
    }

    /** As much of a text as a message shows of it, with nothing that a terminal would obey. */
    public static String shown(String text) {
        String start = text.codePointCount(0, text.length()) <= LONGEST_QUOTE
                ? text
                : text.substring(0, text.offsetByCodePoints(0, LONGEST_QUOTE)) + "…";
        return printable(start);
    }

    /** A message of a library's, with what it quotes cut as ours is. */
    public static String withShortQuotes(String message) {
        return printable(message.replaceAll("(?<=[ (])'([^']{" + LONGEST_QUOTE + "})[^']+'", "'$1…'"));
    }

    /** The text with question marks for what a terminal would obey: controls, and marks that turn its direction. */
    public static String printable(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}]", "?");
    }

    /**
     * The text of a number, unless it ends in Java's suffix f or d, which its parsers take and no other program writes.
     *
     * @throws NumberFormatException if it does
     */
    public static String suffix(String number) {
        if (number.matches(".*[dDfF]\\s*")) {
            throw new NumberFormatException(number);
        }
        return number;
    }

    /**
     * The binary64 number of a text without a {@linkplain #suffix suffix}.
     *
     * @throws NumberFormatException if the text is no number, or is so small that it would become 0
     */
    public static double number(String text) {
        double number = Double.parseDouble(suffix(text));
        if (vanishes(text)) {
            throw new NumberFormatException(text);
        }
        return number;
    }

    /** Whether a text is a number other than 0 that is so small that it would become 0. */
    public static boolean vanishes(String text) {
        return text.matches("[-+]?[0-9.]*[1-9][0-9.]*[eE]-[0-9]+") && Double.parseDouble(text) == 0;
    }

    /**
     * Refuses an argument that is wrong.
     *
     * @throws IllegalArgumentException with the message {@code name: expected ..., got ...} if it is
     */
    public static void when(boolean wrong, String name, String expected, Object got) {
        if (wrong) {
            throw new IllegalArgumentException(name + ": expected " + expected + ", got " + got);
        }
    }

    /** The same of an integer. */
    public static void when(boolean wrong, String name, String expected, long got) {
        if (wrong) {
            when(true, name, expected, (Object) got);
        }
    }

    /** The same of a number. */
    public static void when(boolean wrong, String name, String expected, double got) {
        if (wrong) {
            when(true, name, expected, (Object) got);
        }
    }

    /** Refuses an integer below {@code minimum}. */
    public static void below(String name, long value, long minimum) {
        if (value < minimum) {
            when(true, name, "at least " + minimum, value);
        }
    }

    /** Refuses an integer that is not within [minimum, maximum]. */
    public static void outside(String name, long value, long minimum, long maximum) {
        if (value < minimum || value > maximum) {
            when(true, name, minimum + " to " + maximum, value);
        }
    }
}
