package org.lemmata.claim;

import java.util.List;
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

    /** What a budget has besides all that smaller ones have. */
    public <T> List<T> growing(List<T> quick, List<T> standard, List<T> full) {
        return of(List.of(quick), List.of(quick, standard), List.of(quick, standard, full)).stream()
                .flatMap(List::stream)
                .toList();
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
