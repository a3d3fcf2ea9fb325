package org.lemmata.claim;

import java.util.Locale;

/**
 * How much a check may cost: seconds; minutes, at reduced sizes; hours, at larger sizes, which only some figures have;
 * or as long as the paper's own sizes need.
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

    /** The value for this budget; the medium budget has the standard value. */
    public <T> T of(T quick, T standard, T full) {
        return switch (this) {
            case QUICK -> quick;
            case STANDARD, MEDIUM -> standard;
            case FULL -> full;
        };
    }
}
