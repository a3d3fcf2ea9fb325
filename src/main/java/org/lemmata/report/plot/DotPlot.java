package org.lemmata.report.plot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Values of several series, category by category from top to bottom: dots with their ranges, by colour and marker. */
public final class DotPlot {

    /** What the values are. */
    public enum Axis {
        /** Times as fast; steps are doublings. Right of the line at 1 we are faster. */
        SPEED("times as fast", "×", ". Times as fast as: ", " times "),
        /** Percent; steps are 1, 2, 5 and so on. */
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
     * @param low the lower end of its range; the value itself where it has none
     * @param high the upper end
     * @param note what is told behind it
     */
    public record Dot(double value, double low, double high, String note) {}

    /** A category with the dots of those series that have one. */
    public record Row(String category, Map<String, Dot> dots) {}

    private static final int MARK_HEIGHT = 16;
    private static final int ROW_GAP = 14;
    private static final int AXIS_HEIGHT = 80;

    /** Room left and right of the smallest and the largest end of a range. */
    private static final double MARGIN = 1.1;

    private DotPlot() {}

    /** The plot as an SVG element. */
    public static String svg(String title, List<String> series, List<Row> rows, Axis axis) {
        var category = new ArrayList<String>();
        var key = new ArrayList<String>();
        var value = new ArrayList<Double>();
        var low = new ArrayList<Double>();
        var high = new ArrayList<Double>();
        var label = new ArrayList<String>();
        var readings = new ArrayList<String>();
        for (int row = 0; row < rows.size(); row++) {
            String name = rows.get(row).category;
            for (int s = 0; s < series.size(); s++) {
                Dot dot = rows.get(row).dots.get(series.get(s));
                if (dot != null) {
                    category.add(Integer.toString(row));
                    key.add(Integer.toString(s));
                    value.add(dot.value);
                    low.add(dot.low);
                    high.add(dot.high);
                    String text = NumberText.ratio(dot.value) + axis.reading + series.get(s);
                    label.add(name + " " + text);
                    readings.add(name + "\n" + text + dot.note);
                }
            }
        }
        Map<String, Object> data =
                PlotSpec.of("category", category, "series", key, "value", value, "low", low, "high", high);
        // Flipped axes run from below.
        Map<String, Object> dodge = PlotSpec.of("name", "dodge", "width", -0.7);
        Map<String, Object> ends = PlotSpec.of("ymin", "low", "ymax", "high");
        Map<String, Object> range = PlotSpec.layer("linerange", ends, "position", dodge, "size", 1.1);
        Map<String, Object> places = PlotSpec.of("y", "value", "shape", "series");
        Map<String, Object> mark = PlotSpec.layer("point", places, "position", dodge, "size", 4.2);
        Map<String, Object> pointed = PlotSpec.of("x", "category", "y", "value", "group", "series");
        Map<String, Object> targets = PlotSpec.with(PlotSpec.targets(pointed, data, value.size()), "position", dodge);
        Map<String, Object> equal =
                PlotSpec.layer("hline", PlotSpec.of(), "yintercept", 1.0, "color", PlotSvg.INK, "size", 0.9);
        var scales = new ArrayList<>(SeriesStyle.coloursAndMarkers(series.size()));
        scales.add(PlotSpec.categories(rows.stream().map(Row::category).toList()));
        scales.add(scale(axis, Collections.min(low), Collections.max(high)));
        Map<String, Object> specification = PlotSpec.plot(
                axis == Axis.SPEED ? List.of(equal, range, mark, targets) : List.of(mark, targets), scales);
        Map<String, Object> mapping = PlotSpec.of("x", "category", "color", "series");
        return PlotSvg.draw(
                PlotSpec.with(specification, "data", data, "mapping", mapping, "coord", PlotSpec.of("name", "flip")),
                AXIS_HEIGHT + rows.size() * (ROW_GAP + MARK_HEIGHT * series.size()),
                title + axis.heading + String.join("; ", label) + ".",
                readings);
    }

    /** Holds all ranges, and of speeds 1 in any case. */
    private static Map<String, Object> scale(Axis axis, double low, double high) {
        boolean speed = axis == Axis.SPEED;
        double minimum = (speed ? Math.min(1, low) : low) / MARGIN;
        double maximum = (speed ? Math.max(1, high) : high) * MARGIN;
        List<Double> breaks = speed ? LogAxis.doublings(minimum, maximum) : LogAxis.decimals(minimum, maximum, true);
        return LogAxis.scale("y", axis.label, minimum, maximum, breaks, value -> NumberText.of(value) + axis.unit);
    }
}
