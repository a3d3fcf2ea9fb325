package org.lemmata.report.plot;

import java.util.ArrayList;
import java.util.List;
import org.lemmata.claim.Figure;

/**
 * What a plot of lines shows: {@link LinePlot} draws it, {@link LineTable} writes it.
 *
 * @param joined false where the points of a line stand by themselves
 */
public record Lines(String title, String caption, Axis x, Axis y, List<Line> lines, boolean joined) {

    public enum Scale {
        LINEAR,
        /** Steps are doublings. */
        LOG2,
        /** Steps are powers of ten. */
        LOG10
    }

    /**
     * An axis.
     *
     * @param low what it reaches at least, as plots side by side do; NaN where the points alone decide
     * @param high the same above
     */
    public record Axis(String label, Scale scale, double low, double high) {

        public Axis(String label, Scale scale) {
            this(label, scale, Double.NaN, Double.NaN);
        }
    }

    /**
     * A line through its points, in their order.
     *
     * @param style the number of its {@link SeriesStyle}: the same line looks the same in all plots of a group
     */
    public record Line(String name, int style, List<Point> points) {
        public Line {
            points = List.copyOf(points);
        }
    }

    /**
     * A value with its interval; a value that is not finite leaves a gap.
     *
     * @param low the lower end; {@code y} itself where there is no interval
     * @param high the upper end
     */
    public record Point(double x, double y, double low, double high) {

        public static Point exact(double x, double y) {
            return new Point(x, y, y, y);
        }

        public boolean hasInterval() {
            return low < high;
        }

        /** The value, with its interval in brackets if there is one. */
        public String text() {
            return NumberText.withInterval(y, low, high);
        }
    }

    public Lines {
        lines = List.copyOf(lines);
    }

    public Lines(String title, String caption, Axis x, Axis y, List<Line> lines) {
        this(title, caption, x, y, lines, true);
    }

    /** A claim's picture. */
    public static Lines of(Figure figure) {
        var lines = new ArrayList<Line>();
        for (Figure.Series series : figure.series()) {
            var points = new ArrayList<Point>();
            for (int i = 0; i < series.x().size(); i++) {
                points.add(new Point(
                        series.x().get(i),
                        series.y().get(i),
                        series.low().get(i),
                        series.high().get(i)));
            }
            lines.add(new Line(series.name(), lines.size(), points));
        }
        return new Lines(
                figure.title(),
                figure.caption(),
                new Axis(figure.xLabel(), Scale.LINEAR),
                new Axis(figure.yLabel(), Scale.LINEAR),
                lines,
                figure.joined());
    }

    /** The plot for the whole width of a page, with its numbers. */
    public Plot plot() {
        return new Plot(
                title,
                caption,
                LinePlot.svg(this, PlotSpec.WIDE),
                LinePlot.svg(this, PlotSpec.NARROW),
                legend(),
                LineTable.of(this));
    }

    /** Of one line there is nothing to tell apart. */
    public List<Plot.Key> legend() {
        return lines.size() < 2
                ? List.of()
                : lines.stream()
                        .map(line -> SeriesStyle.key(line.style(), line.name(), joined))
                        .toList();
    }

    /** The plot as one of several side by side, whose numbers stand below them all. */
    public Plot panel() {
        return new Plot(title, caption, LinePlot.svg(this, PlotSpec.PANEL), "", List.of(), Table.NONE);
    }
}
