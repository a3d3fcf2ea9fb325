package org.lemmata.claim;

import java.util.Locale;

/**
 * How much a check may cost: seconds, minutes at reduced sizes, hours at larger ones that some figures have, or the
 * paper's own sizes.
 */
public enum Budget {
    QUICK,
    STANDARD,
    MEDIUM,
    FULL;

    /** The word on the command line and in records. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What a budget has of something. */
    public <T> T of(T quick, T standard, T full) {
        return switch (this) {
            case QUICK -> quick;
            case STANDARD, MEDIUM -> standard;
            case FULL -> full;
        };
    }
}
