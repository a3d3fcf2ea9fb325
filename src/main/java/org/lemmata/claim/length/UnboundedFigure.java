package org.lemmata.claim.length;

import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;

/** Figures for which the paper has no bound. */
final class UnboundedFigure {

    private UnboundedFigure() {}

    /** How many of {@code n} cases. */
    static Measurement count(String name, int value, long n) {
        return new Measurement(name, value, "", Interval.exact(value), n, null);
    }
}
