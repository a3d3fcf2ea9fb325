package org.lemmata.claim;

import java.util.List;

/**
 * The data of a line plot; the report draws it.
 *
 * @param title what is seen
 * @param caption how to read it, and which figure of the paper it stands beside
 * @param xLabel the quantity and unit on the horizontal axis
 * @param yLabel the quantity and unit on the vertical axis
 * @param series the lines, in the order of the legend
 */
public record Figure(String title, String caption, String xLabel, String yLabel, List<Series> series) {

    public Figure {
        series = List.copyOf(series);
    }

    /** A line through (x_i, y_i), in the order given. */
    public record Series(String name, List<Double> x, List<Double> y) {
        public Series {
            x = List.copyOf(x);
            y = List.copyOf(y);
            if (x.size() != y.size()) {
                throw new IllegalArgumentException(
                        "series: expected as many x as y, got " + x.size() + " and " + y.size());
            }
        }
    }
}
