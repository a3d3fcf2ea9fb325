package org.lemmata.claim;

import java.util.Locale;

/** How much a check may cost: seconds, minutes at reduced sizes, or the paper's own sizes. */
public enum Budget {
    QUICK,
    STANDARD,
    FULL;

    /** The word on the command line and in records. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
