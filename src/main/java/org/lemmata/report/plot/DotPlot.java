package org.lemmata.report.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A plot of several series by category, from top to bottom: dots with ranges, distinguished by colour and marker. */
public final class DotPlot {

    /** The meaning of the values. */
    public enum Axis {
        /** Speed ratios on a scale of powers of two; to the right of the line at 1, our kernels are faster. */
        SPEED("times as fast", "×", ". Times as fast as: ", " times "),
        /** Percentages on a scale with steps 1, 2, 5 and so on. */
        NOISE("percent above 1", "%", ", percent above 1: ", "% ");

        private final String label;
        private final String unit;
        private final String heading;
        private final String reading;

        Axis(String label, String unit, String heading, String reading) {
            this.label = label;
            this.unit = unit;
            this.heading = heading;
            this.reading = reading;
        }
    }

    /**
     * A value.
     *
     * @param low the lower end of its range; {@code value} if it has none
     * @param high the upper end of its range
     * @param note a note, displayed after the value
     */
    public record Dot(double value, double low, double high, String note) {}

    /** A category with one dot per series that has a value. */
    public record Row(String category, Map<String, Dot> dots) {}

    private static final int MARK_HEIGHT = 16;
    private static final int ROW_GAP = 14;
    private static final int AXIS_HEIGHT = 80;

    private static final double MARGIN = 1.1;

    private DotPlot() {}

    public static String svg(String title, List<String> series, List<Row> rows, Axis axis) {
        var all = rows.stream().flatMap(row -> row.dots.values().stream()).toList();
        var panel = new Panel(
                axis(
                        axis,
                        all.stream().mapToDouble(Dot::low).min().orElse(1),
                        all.stream().mapToDouble(Dot::high).max().orElse(1)),
                PlotAxis.categories(rows.stream().map(Row::category).toList(), true),
                AXIS_HEIGHT + rows.size() * (ROW_GAP + MARK_HEIGHT * series.size()));
        if (axis == Axis.SPEED) {
            String from = Panel.place(panel.x(1), panel.y(-0.5));
            panel.path("--ink-soft", 1.8, "M" + from + "V" + Panel.at(panel.y(rows.size() - 0.5)));
        }
        var label = new ArrayList<String>();
        for (int row = 0; row < rows.size(); row++) {
            for (int s = 0; s < series.size(); s++) {
                Dot dot = rows.get(row).dots.get(series.get(s));
                if (dot == null) {
                    continue;
                }
                SeriesStyle style = SeriesStyle.of(s);
                String name = rows.get(row).category;
                String text = NumberText.ratio(dot.value) + axis.reading + series.get(s);
                double x = panel.x(dot.value);
                double y = panel.y(row) + (s - (series.size() - 1) / 2.0) * MARK_HEIGHT;
                if (dot.low < dot.high) {
                    String from = Panel.place(panel.x(dot.low), y);
                    panel.path(style.variable(), 2.2, "M" + from + "H" + Panel.at(panel.x(dot.high)));
                }
                panel.add(style.marks(style.mark(x, y)));
                panel.target(x, y, name + "\n" + text + dot.note);
                label.add(name + " " + text);
            }
        }
        return panel.svg(title + axis.heading + String.join("; ", label) + ".");
    }

    /** The axis that contains all ranges; for speeds it always contains 1. */
    private static PlotAxis axis(Axis axis, double low, double high) {
        boolean speed = axis == Axis.SPEED;
        double minimum = (speed ? Math.min(1, low) : low) / MARGIN;
        double maximum = (speed ? Math.max(1, high) : high) * MARGIN;
        List<Double> breaks = speed ? PlotAxis.doublings(minimum, maximum) : PlotAxis.decimals(minimum, maximum);
        return PlotAxis.logarithmic(
                axis.label,
                minimum,
                maximum,
                PlotAxis.fitting(breaks, value -> NumberText.of(value) + axis.unit, true));
    }
}
