package org.lemmata.claim.length;

import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;

/** Figures for which the paper has no bound. */
final class UnboundedFigure {

    private UnboundedFigure() {}

    static Measurement count(String name, long value, long n) {
        return of(name, (double) value, "", n);
    }

    static Measurement of(String name, double value, String unit, long n) {
        return new Measurement(name, value, unit, Interval.exact(value), n, null);
    }
}
