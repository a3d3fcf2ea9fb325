package org.lemmata.report.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/** Draws {@link Lines}: each by colour, dash and marker at once, so that no reader depends on one of them. */
public final class LinePlot {

    private static final int PANEL_HEIGHT = 300;

    /** More markers than this on a line hide it; then every k-th point has one. */
    private static final int MARKERS_PER_SERIES = 32;

    /** Beyond the ends of a range that is given, as a part of it. */
    private static final double MARGIN = 0.05;

    private LinePlot() {}

    /** The plot as an SVG element of the given width in CSS pixels. */
    public static String svg(Lines lines, int width) {
        List<SeriesStyle> styles =
                lines.lines().stream().map(line -> SeriesStyle.of(line.style())).toList();
        List<String> names = lines.lines().stream().map(Lines.Line::name).toList();
        var readings = new ArrayList<String>();
        Map<String, Object> specification = PlotSpec.of(
                "kind", "plot",
                "layers", layers(lines, readings),
                "scales",
                        List.of(
                                PlotSpec.targetScale(),
                                SeriesStyle.scale("color", styles, SeriesStyle::colour),
                                SeriesStyle.scale("linetype", styles, SeriesStyle::dash),
                                SeriesStyle.scale("shape", styles, SeriesStyle::marker),
                                axis("x", lines.x(), values(lines, lines.x(), Lines.Point::x), width),
                                axis(
                                        "y",
                                        lines.y(),
                                        DoubleStream.concat(
                                                        DoubleStream.of(values(lines, lines.y(), Lines.Point::y)),
                                                        DoubleStream.concat(
                                                                DoubleStream.of(
                                                                        values(lines, lines.y(), Lines.Point::low)),
                                                                DoubleStream.of(
                                                                        values(lines, lines.y(), Lines.Point::high))))
                                                .toArray(),
                                        width)),
                "theme", PlotSpec.theme());
        return PlotSvg.draw(
                specification,
                width,
                PANEL_HEIGHT,
                (lines.joined() ? "Line plot: " : "Scatter plot: ") + lines.title() + ". "
                        + lines.y().label()
                        + " against " + lines.x().label() + (lines.joined() ? "; lines: " : "; points: ")
                        + String.join(", ", names) + ".",
                readings);
    }

    /** The ends of intervals, the lines, the markers, and the targets over those. */
    private static List<Map<String, Object>> layers(Lines lines, List<String> readings) {
        Map<String, Object> path = PlotSpec.of(
                "geom",
                "path",
                "data",
                columns(lines, false),
                "mapping",
                PlotSpec.of("x", "x", "y", "y", "color", "series", "linetype", "series"),
                "size",
                1.1,
                "tooltips",
                "none");
        Map<String, Object> mark = PlotSpec.of(
                "geom",
                "point",
                "data",
                columns(lines, true),
                "mapping",
                PlotSpec.of("x", "x", "y", "y", "color", "series", "shape", "series"),
                "size",
                3.6,
                "tooltips",
                "none");
        var layers = new ArrayList<Map<String, Object>>();
        intervals(lines).ifPresent(layers::add);
        if (lines.joined()) {
            layers.add(path);
        }
        layers.add(mark);
        var x = new ArrayList<Double>();
        var y = new ArrayList<Double>();
        for (Lines.Line line : lines.lines()) {
            int step = step(lines, line);
            for (int i = 0; i < line.points().size(); i += step) {
                Lines.Point point = line.points().get(i);
                if (isDrawn(point.x(), lines.x()) && isDrawn(point.y(), lines.y())) {
                    x.add(point.x());
                    y.add(point.y());
                    readings.add(line.name() + "\n" + lines.x().label() + ": " + NumberText.of(point.x()) + "\n"
                            + lines.y().label() + ": " + point.text());
                }
            }
        }
        layers.add(PlotSpec.targets(PlotSpec.of("x", "x", "y", "y"), PlotSpec.of("x", x, "y", y), x.size()));
        return layers;
    }

    private static Optional<Map<String, Object>> intervals(Lines lines) {
        var x = new ArrayList<Double>();
        var low = new ArrayList<Double>();
        var high = new ArrayList<Double>();
        var key = new ArrayList<String>();
        for (int s = 0; s < lines.lines().size(); s++) {
            for (Lines.Point point : lines.lines().get(s).points()) {
                if (point.hasInterval()
                        && isDrawn(point.x(), lines.x())
                        && isDrawn(point.low(), lines.y())
                        && isDrawn(point.high(), lines.y())) {
                    x.add(point.x());
                    low.add(point.low());
                    high.add(point.high());
                    key.add(Integer.toString(s));
                }
            }
        }
        if (x.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(PlotSpec.of(
                "geom",
                "linerange",
                "data",
                PlotSpec.of("x", x, "low", low, "high", high, "series", key),
                "mapping",
                PlotSpec.of("x", "x", "ymin", "low", "ymax", "high", "color", "series"),
                "size",
                1.3,
                "alpha",
                0.75,
                "show_legend",
                false,
                "tooltips",
                "none"));
    }

    /** Every point has a marker where there is no line to show it. */
    private static int step(Lines lines, Lines.Line line) {
        return !lines.joined() ? 1 : Math.ceilDiv(Math.max(1, line.points().size()), MARKERS_PER_SERIES);
    }

    private static boolean isDrawn(double value, Lines.Axis axis) {
        return Double.isFinite(value) && (axis.scale() == Lines.Scale.LINEAR || value > 0);
    }

    private static Map<String, Object> columns(Lines lines, boolean thinned) {
        var x = new ArrayList<Double>();
        var y = new ArrayList<@Nullable Double>();
        var key = new ArrayList<String>();
        for (int s = 0; s < lines.lines().size(); s++) {
            Lines.Line line = lines.lines().get(s);
            int step = thinned ? step(lines, line) : 1;
            for (int i = 0; i < line.points().size(); i += step) {
                Lines.Point point = line.points().get(i);
                if (isDrawn(point.x(), lines.x())) {
                    x.add(point.x());
                    // A hole in the line, not a line through zero.
                    y.add(isDrawn(point.y(), lines.y()) ? point.y() : null);
                    key.add(Integer.toString(s));
                }
            }
        }
        return PlotSpec.of("x", x, "y", y, "series", key);
    }

    private static double[] values(Lines lines, Lines.Axis axis, ToDoubleFunction<Lines.Point> value) {
        return lines.lines().stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(value)
                .filter(each -> isDrawn(each, axis))
                .toArray();
    }

    /** Whole numbers over a short range are labelled one by one: half a bracket does not exist. */
    private static Map<String, Object> axis(String aesthetic, Lines.Axis axis, double[] ofPoints, int width) {
        double[] values = DoubleStream.concat(
                        DoubleStream.of(ofPoints),
                        DoubleStream.of(axis.low(), axis.high()).filter(end -> isDrawn(end, axis)))
                .toArray();
        int most = aesthetic.equals("x") && width < PlotSpec.WIDE ? 8 : 12;
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
        return PlotSpec.with(
                plain,
                "breaks",
                breaks,
                "labels",
                breaks.stream().map(NumberText::of).toList());
    }
}
