package org.lemmata.argument;

/**
 * Refuses an argument in one line: its name, what was expected, and what came. Nothing is made of one that is right.
 */
public final class Refuse {

    private Refuse() {}

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
