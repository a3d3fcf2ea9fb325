package org.lemmata.argument;

/** Refuses an argument in one line: its name, what was expected, and what came. */
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

    /** The same of an integer, of which no object is made. */
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
}
