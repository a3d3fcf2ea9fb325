package org.lemmata.report.plot;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Draws {@link Lines}. Each line has its own combination of colour, dash and marker, so that readers need not
 * distinguish colours.
 */
public final class LinePlot {

    static final int HEIGHT = 300;

    /** The maximum number of markers of a line; with more points, only every k-th point has a marker. */
    private static final int MARKERS_PER_SERIES = 12;

    /** The maximum distance between the intervals of two lines at the same x, in pixels. */
    private static final double SHIFT = 5;

    private final Lines lines;
    private final Panel panel;

    /** The lines with intervals; each is shifted horizontally by a different distance. */
    private final List<Lines.Line> shifted;

    private final double shift;

    /** The lowest drawn number. On a logarithmic axis, intervals whose lower end is not positive start here. */
    private final double foot;

    private LinePlot(Lines lines) {
        this.lines = lines;
        double[] heights = Stream.<ToDoubleFunction<Lines.Point>>of(Lines.Point::y, Lines.Point::low, Lines.Point::high)
                .flatMapToDouble(value -> values(lines.y(), value))
                .toArray();
        this.panel = new Panel(
                axis(lines.x(), values(lines.x(), Lines.Point::x).toArray(), true),
                axis(lines.y(), heights, false),
                HEIGHT);
        this.shifted = lines.lines().stream()
                .filter(line -> line.points().stream().anyMatch(Lines.Point::hasInterval))
                .toList();
        double[] places = values(lines.x(), Lines.Point::x)
                .map(panel::x)
                .sorted()
                .distinct()
                .toArray();
        double gap = SHIFT * shifted.size();
        for (int i = 1; i < places.length; i++) {
            gap = Math.min(gap, 0.6 * (places[i] - places[i - 1]));
        }
        this.shift = lines.joined() ? gap / Math.max(1, shifted.size()) : 0;
        this.foot = DoubleStream.of(heights).min().orElse(0);
    }

    public static String svg(Lines lines) {
        var plot = new LinePlot(lines);
        lines.lines().forEach(plot::draw);
        return plot.panel.svg((lines.joined() ? "Line plot: " : "Scatter plot: ") + lines.title() + ". "
                + lines.y().label()
                + " against " + lines.x().label() + (lines.joined() ? "; lines: " : "; points: ")
                + String.join(", ", lines.lines().stream().map(Lines.Line::name).toList()) + ".");
    }

    private void draw(Lines.Line line) {
        SeriesStyle style = SeriesStyle.of(line.style());
        int index = shifted.indexOf(line);
        double right = index < 0 ? 0 : (index - (shifted.size() - 1) / 2.0) * shift;
        List<Lines.Point> points = line.points().stream()
                .filter(point -> isDrawn(point.x(), lines.x()))
                .toList();
        if (lines.joined()) {
            panel.add(style.stroke(path(points, right)));
        }
        int step = lines.joined() ? Math.ceilDiv(Math.max(1, points.size()), MARKERS_PER_SERIES) : 1;
        var marks = new StringBuilder();
        var intervals = new StringBuilder();
        for (int i = 0; i < points.size(); i += step) {
            Lines.Point point = points.get(i);
            double x = panel.x(point.x()) + right;
            if (isDrawn(point.y(), lines.y())) {
                marks.append(style.mark(x, panel.y(point.y())));
                panel.target(
                        x, panel.y(point.y()), line.name() + "\n" + point.text() + " at " + NumberText.of(point.x()));
            }
            if (point.hasInterval() && isDrawn(point.high(), lines.y())) {
                double low = isDrawn(point.low(), lines.y()) ? point.low() : foot;
                intervals.append("M" + Panel.place(x, panel.y(low)) + "V" + Panel.at(panel.y(point.high())));
            }
        }
        if (!intervals.isEmpty()) {
            panel.path(style.variable(), 1.6, intervals.toString());
        }
        panel.add(style.marks(marks.toString()));
    }

    /** The path of a line; a point that the axis cannot represent leaves a gap. */
    private String path(List<Lines.Point> points, double right) {
        var path = new StringBuilder();
        String last = "";
        for (Lines.Point point : points) {
            String place =
                    isDrawn(point.y(), lines.y()) ? Panel.place(panel.x(point.x()) + right, panel.y(point.y())) : "";
            if (!place.equals(last)) {
                path.append(place.isEmpty() ? "" : (last.isEmpty() ? "M" : "L") + place);
                last = place;
            }
        }
        return path.toString();
    }

    private static boolean isDrawn(double value, Lines.Axis axis) {
        return Double.isFinite(value) && (axis.scale() == Lines.Scale.LINEAR || value > 0);
    }

    private DoubleStream values(Lines.Axis axis, ToDoubleFunction<Lines.Point> value) {
        return lines.lines().stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(value)
                .filter(each -> isDrawn(each, axis));
    }

    private static PlotAxis axis(Lines.Axis axis, double[] ofPoints, boolean isHorizontal) {
        double[] values = DoubleStream.concat(
                        DoubleStream.of(ofPoints),
                        DoubleStream.of(axis.low(), axis.high()).filter(end -> isDrawn(end, axis)))
                .toArray();
        return PlotAxis.around(values, axis.label(), axis.scale(), isHorizontal);
    }
}
