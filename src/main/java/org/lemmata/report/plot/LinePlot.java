package org.lemmata.report.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Draws {@link Lines}: each by colour, dash and marker at once, so that no reader depends on one of them. */
public final class LinePlot {

    static final int HEIGHT = 300;

    /** More markers than this on a line hide it; then every k-th point has one. */
    private static final int MARKERS_PER_SERIES = 16;

    /** Beyond the ends of a range that is given, as a part of it. */
    private static final double MARGIN = 0.05;

    private LinePlot() {}

    /** The plot as an SVG element. */
    public static String svg(Lines lines) {
        List<SeriesStyle> styles =
                lines.lines().stream().map(line -> SeriesStyle.of(line.style())).toList();
        List<String> names = lines.lines().stream().map(Lines.Line::name).toList();
        var readings = new ArrayList<String>();
        double[] heights = Stream.<ToDoubleFunction<Lines.Point>>of(Lines.Point::y, Lines.Point::low, Lines.Point::high)
                .flatMapToDouble(value -> DoubleStream.of(values(lines, lines.y(), value)))
                .toArray();
        Map<String, Object> specification = PlotSpec.plot(
                layers(lines, readings),
                List.of(
                        SeriesStyle.scale("color", styles, SeriesStyle::colour),
                        SeriesStyle.scale("linetype", styles, SeriesStyle::dash),
                        SeriesStyle.scale("shape", styles, SeriesStyle::marker),
                        axis("x", lines.x(), values(lines, lines.x(), Lines.Point::x)),
                        axis("y", lines.y(), heights)));
        return PlotSvg.draw(
                specification,
                HEIGHT,
                (lines.joined() ? "Line plot: " : "Scatter plot: ") + lines.title() + ". "
                        + lines.y().label()
                        + " against " + lines.x().label() + (lines.joined() ? "; lines: " : "; points: ")
                        + String.join(", ", names) + ".",
                readings);
    }

    /** A point that has a place, and the number of its line. */
    private record Placed(int series, Lines.Point point) {}

    /** The ends of intervals, the lines, the markers, and the targets over those. */
    private static List<Map<String, Object>> layers(Lines lines, List<String> readings) {
        List<Placed> all = placed(lines, 0);
        List<Placed> marked = placed(lines, MARKERS_PER_SERIES);
        var layers = new ArrayList<Map<String, Object>>();
        if (lines.joined()) {
            Map<String, Object> mapping = PlotSpec.of("x", "x", "y", "y", "color", "series", "linetype", "series");
            layers.add(PlotSpec.layer("path", mapping, "data", columns(lines, all), "size", 1.1));
        }
        Map<String, Object> mapping = PlotSpec.of("x", "x", "y", "y", "color", "series", "shape", "series");
        layers.add(PlotSpec.layer("point", mapping, "data", columns(lines, marked), "size", 3.6));
        List<Placed> ranges = marked.stream()
                .filter(each -> each.point.hasInterval() && isDrawn(each.point.high(), lines.y()))
                .toList();
        if (!ranges.isEmpty()) {
            // Over the markers, which are larger than many an interval.
            layers.add(intervals(ranges, lines));
        }
        List<Placed> targets = marked.stream()
                .filter(each -> isDrawn(each.point.y(), lines.y()))
                .toList();
        for (Placed each : targets) {
            readings.add(lines.lines().get(each.series).name() + "\n" + each.point.text() + " at "
                    + NumberText.of(each.point.x()));
        }
        layers.add(PlotSpec.targets(PlotSpec.of("x", "x", "y", "y"), columns(lines, targets), targets.size()));
        return layers;
    }

    private static Map<String, Object> intervals(List<Placed> ranges, Lines lines) {
        // What begins at 0 or below begins at the foot of a logarithmic axis.
        double foot =
                DoubleStream.of(values(lines, lines.y(), Lines.Point::y)).min().orElse(0);
        Map<String, Object> mapping = PlotSpec.of("x", "x", "ymin", "low", "ymax", "high");
        Map<String, Object> data = PlotSpec.of(
                "x", column(ranges, Lines.Point::x),
                "low", column(ranges, point -> isDrawn(point.low(), lines.y()) ? point.low() : foot),
                "high", column(ranges, Lines.Point::high));
        return PlotSpec.layer("linerange", mapping, "data", data, "size", 1.2, "color", PlotSvg.INK);
    }

    /** @param most markers on a line that shows the others, too; 0 for all points */
    private static List<Placed> placed(Lines lines, int most) {
        var placed = new ArrayList<Placed>();
        for (int s = 0; s < lines.lines().size(); s++) {
            List<Lines.Point> points = lines.lines().get(s).points();
            int step = most > 0 && lines.joined() ? Math.ceilDiv(Math.max(1, points.size()), most) : 1;
            for (int i = 0; i < points.size(); i += step) {
                if (isDrawn(points.get(i).x(), lines.x())) {
                    placed.add(new Placed(s, points.get(i)));
                }
            }
        }
        return placed;
    }

    private static Map<String, Object> columns(Lines lines, List<Placed> points) {
        var y = new ArrayList<@Nullable Double>();
        // A hole in the line, not a line through zero.
        points.forEach(each -> y.add(isDrawn(each.point.y(), lines.y()) ? each.point.y() : null));
        return PlotSpec.of("x", column(points, Lines.Point::x), "y", y, "series", series(points));
    }

    private static List<Double> column(List<Placed> points, Function<Lines.Point, Double> value) {
        return points.stream().map(each -> value.apply(each.point)).toList();
    }

    private static List<String> series(List<Placed> points) {
        return points.stream().map(each -> Integer.toString(each.series)).toList();
    }

    private static boolean isDrawn(double value, Lines.Axis axis) {
        return Double.isFinite(value) && (axis.scale() == Lines.Scale.LINEAR || value > 0);
    }

    private static double[] values(Lines lines, Lines.Axis axis, ToDoubleFunction<Lines.Point> value) {
        return lines.lines().stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(value)
                .filter(each -> isDrawn(each, axis))
                .toArray();
    }

    /** Whole numbers over a short range are labelled one by one: half a bracket does not exist. */
    private static Map<String, Object> axis(String aesthetic, Lines.Axis axis, double[] ofPoints) {
        double[] values = DoubleStream.concat(
                        DoubleStream.of(ofPoints),
                        DoubleStream.of(axis.low(), axis.high()).filter(end -> isDrawn(end, axis)))
                .toArray();
        int most = aesthetic.equals("x") ? 8 : 12;
        if (axis.scale() != Lines.Scale.LINEAR && values.length > 0) {
            return LogAxis.of(aesthetic, axis.label(), axis.scale(), values, aesthetic.equals("x") ? most - 2 : 8);
        }
        Map<String, Object> plain = PlotSpec.of("aesthetic", aesthetic, "name", axis.label());
        if (axis.low() < axis.high()) {
            double margin = MARGIN * (axis.high() - axis.low());
            plain = PlotSpec.with(
                    plain, "limits", List.of(axis.low() - margin, axis.high() + margin), "expand", List.of(0, 0));
        }
        if (values.length == 0 || DoubleStream.of(values).anyMatch(value -> value != Math.rint(value))) {
            return plain;
        }
        double low = DoubleStream.of(values).min().orElse(0);
        double high = DoubleStream.of(values).max().orElse(0);
        if (high - low > most) {
            return plain;
        }
        List<Double> breaks = DoubleStream.iterate(low, at -> at <= high, at -> at + 1)
                .boxed()
                .toList();
        List<String> labels = breaks.stream().map(NumberText::of).toList();
        return PlotSpec.with(plain, "breaks", breaks, "labels", labels);
    }
}
