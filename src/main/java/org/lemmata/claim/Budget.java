package org.lemmata.claim;

import java.util.Locale;

/**
 * The cost of a check. Quick checks take seconds; standard checks take minutes, at reduced sizes; medium checks take
 * hours, at larger sizes that only some figures have. Full checks take as long as the paper's own sizes need.
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

    /** The value for this budget; the medium budget uses the standard value. */
    public <T> T of(T quick, T standard, T full) {
        return switch (this) {
            case QUICK -> quick;
            case STANDARD, MEDIUM -> standard;
            case FULL -> full;
        };
    }
}
