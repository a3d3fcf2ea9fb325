package org.lemmata.claim;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.lemmata.statistic.Interval;

/**
 * The data of a plot of lines or of points; the report draws it.
 *
 * @param title the title of the plot
 * @param caption an explanation of the plot, with the paper's figure to compare it with
 * @param xLabel the quantity and unit on the horizontal axis; it begins with "log2 of" or "log10 of" if the x are
 *     logarithms, and the page then labels the axis with the values, not their logarithms
 * @param yLabel the quantity and unit on the vertical axis, in the same form
 * @param series the lines, in the order of the legend
 * @param joined whether a line joins the points of a series; false for a scatter plot
 */
public record Figure(String title, String caption, String xLabel, String yLabel, List<Series> series, boolean joined) {

    public Figure {
        series = List.copyOf(series);
    }

    public Figure(String title, String caption, String xLabel, String yLabel, List<Series> series) {
        this(title, caption, xLabel, yLabel, series, true);
    }

    /** The logarithm of x with base 2, for an axis. */
    public static double log2(double x) {
        return Math.log(x) / Math.log(2);
    }

    /**
     * The points (x_i, y_i), or a line through them in the order given.
     *
     * @param low the lower ends of the intervals of y; y itself for a point without an interval
     * @param high the upper ends of the intervals of y
     */
    public record Series(String name, List<Double> x, List<Double> y, List<Double> low, List<Double> high) {
        public Series {
            x = List.copyOf(x);
            y = List.copyOf(y);
            low = List.copyOf(low);
            high = List.copyOf(high);
            if (x.size() != y.size()) {
                throw new IllegalArgumentException(
                        "series: expected as many x as y, got " + x.size() + " and " + y.size());
            }
            if (low.size() != y.size() || high.size() != y.size()) {
                throw new IllegalArgumentException("series: expected as many intervals as y, " + y.size() + ", got "
                        + low.size() + " and " + high.size());
            }
        }

        /** A series without intervals, with one point for each element of {@code points}. */
        public static <T> Series of(
                String name, Collection<T> points, ToDoubleFunction<? super T> x, ToDoubleFunction<? super T> y) {
            return of(name, points, x, y, point -> Interval.exact(y.applyAsDouble(point)));
        }

        /** A series with one point and its interval for each element of {@code points}. */
        public static <T> Series of(
                String name,
                Collection<T> points,
                ToDoubleFunction<? super T> x,
                ToDoubleFunction<? super T> y,
                Function<? super T, Interval> interval) {
            List<Interval> intervals = points.stream().<Interval>map(interval).toList();
            return new Series(
                    name,
                    points.stream().map(x::applyAsDouble).toList(),
                    points.stream().map(y::applyAsDouble).toList(),
                    intervals.stream().map(Interval::low).toList(),
                    intervals.stream().map(Interval::high).toList());
        }

        /** A horizontal line at y. */
        public static Series level(String name, double from, double to, double y) {
            return new Series(name, List.of(from, to), List.of(y, y));
        }

        public Series(String name, List<Double> x, List<Double> y) {
            this(name, x, y, y, y);
        }

        /** Whether any y has an interval. */
        public boolean hasIntervals() {
            return !low.equals(y) || !high.equals(y);
        }
    }
}
