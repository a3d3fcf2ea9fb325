package org.lemmata.report.plot;

import java.util.ArrayList;
import java.util.List;
import org.lemmata.claim.Figure;

/**
 * The content of a line plot: {@link LinePlot} draws it, {@link #table} lists its numbers.
 *
 * @param joined whether the points of a line are connected
 */
public record Lines(String title, Axis x, Axis y, List<Line> lines, boolean joined) {

    public enum Scale {
        LINEAR(""),
        LOG2("log2 of "),
        LOG10("log10 of ");

        private final String logarithm;

        Scale(String logarithm) {
            this.logarithm = logarithm;
        }
    }

    /** The prefix of labels of shares; the axis of shares is from 0 to 1. */
    private static final String SHARE = "share of ";

    /**
     * An axis.
     *
     * @param low a value that the axis must include, for plots side by side; NaN if only the points determine the axis
     * @param high another value that the axis must include, or NaN
     */
    public record Axis(String label, Scale scale, double low, double high) {

        public Axis(String label, Scale scale) {
            this(label, scale, Double.NaN, Double.NaN);
        }

        /** The value for a number in a claim's figure, which may be a logarithm. */
        private double value(double number) {
            double value = switch (scale) {
                case LINEAR -> number;
                case LOG2 -> Math.pow(2, number);
                case LOG10 -> Math.pow(10, number);
            };
            double whole = Math.rint(value);
            return Math.abs(value - whole) < 1e-9 * whole ? whole : value;
        }
    }

    /**
     * A line through its points, in their order.
     *
     * @param style the index of its {@link SeriesStyle}, which is the same in all plots of a group
     */
    public record Line(String name, int style, List<Point> points) {}

    /**
     * A value with its interval; a value that is not finite leaves a gap.
     *
     * @param low the lower end of the interval; {@code y} if there is none
     * @param high the upper end of the interval
     */
    public record Point(double x, double y, double low, double high) {

        public static Point exact(double x, double y) {
            return new Point(x, y, y, y);
        }

        public boolean hasInterval() {
            return low < high;
        }

        public String text() {
            return NumberText.withInterval(y, low, high);
        }
    }

    public Lines(String title, Axis x, Axis y, List<Line> lines) {
        this(title, x, y, lines, true);
    }

    public Lines titled(String other) {
        return new Lines(other, x, y, lines, joined);
    }

    /** The plot of a claim's figure; logarithms become values on a logarithmic scale. */
    public static Lines of(Figure figure) {
        Axis x = axis(figure.xLabel());
        Axis y = axis(figure.yLabel());
        var lines = new ArrayList<Line>();
        for (Figure.Series series : figure.series()) {
            var points = new ArrayList<Point>();
            for (int i = 0; i < series.x().size(); i++) {
                points.add(new Point(
                        x.value(series.x().get(i)),
                        y.value(series.y().get(i)),
                        y.value(series.low().get(i)),
                        y.value(series.high().get(i))));
            }
            lines.add(new Line(name(figure.series(), lines.size()), lines.size(), points));
        }
        return new Lines(figure.title(), x, y, lines, figure.joined());
    }

    private static String name(List<Figure.Series> all, int index) {
        String name = all.get(index).name();
        return count(all, name) < 2 ? name : name + " (" + (count(all.subList(0, index), name) + 1) + ")";
    }

    private static long count(List<Figure.Series> all, String name) {
        return all.stream().filter(series -> series.name().equals(name)).count();
    }

    private static Axis axis(String label) {
        for (Scale scale : Scale.values()) {
            if (scale != Scale.LINEAR && label.startsWith(scale.logarithm)) {
                return new Axis(label.substring(scale.logarithm.length()).replaceFirst("^the ", ""), scale);
            }
        }
        return label.startsWith(SHARE) ? new Axis(label, Scale.LINEAR, 0, 1) : new Axis(label, Scale.LINEAR);
    }

    /** The plot with its table. */
    public Plot plot(String caption) {
        return new Plot(title, caption, LinePlot.svg(this), legend(), table());
    }

    /** The legend, which is empty for a single line. */
    public List<Plot.Key> legend() {
        return lines.size() < 2
                ? List.of()
                : lines.stream()
                        .map(line -> SeriesStyle.of(line.style()).key(line.name(), joined))
                        .toList();
    }

    /** The table: one row per x if every line has each x at most once, otherwise one row per point. */
    public Plot.Table table() {
        boolean functions = lines.stream()
                .allMatch(line -> line.points.stream().map(Point::x).distinct().count() == line.points.size());
        var rows = new ArrayList<List<String>>();
        if (!functions) {
            lines.forEach(line ->
                    line.points.forEach(point -> rows.add(List.of(line.name, NumberText.of(point.x), point.text()))));
            return new Plot.Table(List.of("line", x.label, y.label), rows);
        }
        var columns = new ArrayList<>(List.of(x.label));
        lines.forEach(line -> columns.add(line.name));
        lines.stream()
                .flatMap(line -> line.points.stream())
                .map(Point::x)
                .sorted()
                .distinct()
                .forEach(at -> {
                    var row = new ArrayList<>(List.of(NumberText.of(at)));
                    lines.forEach(line -> row.add(line.points.stream()
                            .filter(point -> at.equals(point.x))
                            .map(Point::text)
                            .findFirst()
                            .orElse("")));
                    rows.add(row);
                });
        return new Plot.Table(columns, rows);
    }
}
