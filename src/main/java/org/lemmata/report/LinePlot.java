package org.lemmata.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.Figure;

/** Draws a {@link Figure}: each series by colour, dash and marker at once, so that no reader depends on one of them. */
final class LinePlot {

    private static final List<String> DASHES = List.of("solid", "dashed", "dotted", "dotdash", "longdash", "twodash");

    /** In R's numbering: disc, triangle, square, diamond, star, cross. */
    private static final List<Integer> MARKERS = List.of(16, 17, 15, 18, 8, 4);

    private static final int PANEL_HEIGHT = 300;
    private static final int LEGEND_ROW_HEIGHT = 24;

    /** More markers than this on a line hide it; then every k-th point has one. */
    private static final int MARKERS_PER_SERIES = 32;

    private LinePlot() {}

    /** The plot as an SVG element of the given width in CSS pixels. */
    static String svg(Figure figure, int width) {
        boolean legend = figure.series().size() > 1;
        List<String> keys = IntStream.range(0, figure.series().size())
                .mapToObj(Integer::toString)
                .toList();
        List<String> names = figure.series().stream().map(Figure.Series::name).toList();
        Map<String, Object> keyed = PlotSpec.of("name", "", "breaks", keys, "labels", names, "limits", keys);
        Map<String, Object> specification = PlotSpec.of(
                "kind", "plot",
                "mapping", PlotSpec.of("x", "x", "y", "y", "color", "series"),
                "layers",
                        List.of(
                                PlotSpec.of(
                                        "geom",
                                        "path",
                                        "data",
                                        columns(figure, false),
                                        "mapping",
                                        PlotSpec.of("linetype", "series"),
                                        "size",
                                        1.1,
                                        "tooltips",
                                        "none"),
                                PlotSpec.of(
                                        "geom",
                                        "point",
                                        "data",
                                        columns(figure, true),
                                        "mapping",
                                        PlotSpec.of("shape", "series"),
                                        "size",
                                        3.6,
                                        "tooltips",
                                        "none")),
                "scales",
                        List.of(
                                PlotSpec.with(
                                        keyed, "aesthetic", "color", "values", cycled(PlotSvg.SERIES, keys.size())),
                                PlotSpec.with(keyed, "aesthetic", "linetype", "values", cycled(DASHES, keys.size())),
                                PlotSpec.with(keyed, "aesthetic", "shape", "values", cycled(MARKERS, keys.size())),
                                axis(
                                        "x",
                                        figure.xLabel(),
                                        figure.series().stream()
                                                .map(Figure.Series::x)
                                                .toList(),
                                        width),
                                axis(
                                        "y",
                                        figure.yLabel(),
                                        figure.series().stream()
                                                .map(Figure.Series::y)
                                                .toList(),
                                        width)),
                "theme", PlotSpec.theme(legend ? "bottom" : "none"));
        int height = PANEL_HEIGHT + (legend ? LEGEND_ROW_HEIGHT * keys.size() : 0);
        return PlotSvg.draw(
                specification,
                width,
                height,
                "Line plot: " + figure.title() + ". " + figure.yLabel() + " against " + figure.xLabel() + "; lines: "
                        + String.join(", ", names) + ".");
    }

    private static Map<String, Object> columns(Figure figure, boolean thinned) {
        var x = new ArrayList<Double>();
        var y = new ArrayList<@Nullable Double>();
        var key = new ArrayList<String>();
        for (int s = 0; s < figure.series().size(); s++) {
            Figure.Series series = figure.series().get(s);
            int step = thinned ? Math.ceilDiv(Math.max(1, series.x().size()), MARKERS_PER_SERIES) : 1;
            for (int i = 0; i < series.x().size(); i += step) {
                if (Double.isFinite(series.x().get(i))) {
                    x.add(series.x().get(i));
                    // A hole in the line, not a line through zero.
                    y.add(Double.isFinite(series.y().get(i)) ? series.y().get(i) : null);
                    key.add(Integer.toString(s));
                }
            }
        }
        return PlotSpec.of("x", x, "y", y, "series", key);
    }

    /** Whole numbers over a short range are labelled one by one: half a bracket does not exist. */
    private static Map<String, Object> axis(String aesthetic, String label, List<List<Double>> columns, int width) {
        Map<String, Object> axis = PlotSpec.of("aesthetic", aesthetic, "name", label);
        double[] values = columns.stream()
                .flatMapToDouble(column -> column.stream().mapToDouble(Double::doubleValue))
                .filter(Double::isFinite)
                .toArray();
        if (values.length == 0 || DoubleStream.of(values).anyMatch(value -> value != Math.rint(value))) {
            return axis;
        }
        double low = DoubleStream.of(values).min().orElse(0);
        double high = DoubleStream.of(values).max().orElse(0);
        int most = aesthetic.equals("x") && width < PlotSpec.WIDE ? 8 : 12;
        if (high - low > most) {
            return axis;
        }
        List<Double> breaks = DoubleStream.iterate(low, at -> at <= high, at -> at + 1)
                .boxed()
                .toList();
        return PlotSpec.with(
                axis,
                "breaks",
                breaks,
                "labels",
                breaks.stream().map(NumberText::of).toList());
    }

    private static <T> List<T> cycled(List<T> styles, int size) {
        return IntStream.range(0, size)
                .mapToObj(i -> styles.get(i % styles.size()))
                .toList();
    }
}
