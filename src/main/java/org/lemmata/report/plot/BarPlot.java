package org.lemmata.report.plot;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** One value a category, from top to bottom, each written beside its mark. */
public final class BarPlot {

    /** What a value's place on the axis means. */
    public enum Scale {
        /** Bars from zero: lengths compare as the values do. */
        LINEAR,
        /** Dots over powers of ten, which have no zero that a bar could start from. */
        LOG
    }

    /**
     * A category's value, which must be finite, and positive on a logarithmic scale.
     *
     * @param low the lower end of its interval; the value itself where it has none
     * @param high the upper end
     */
    public record Bar(String category, double value, double low, double high) {

        public Bar(String category, double value) {
            this(category, value, value, value);
        }

        boolean hasInterval() {
            return low < high;
        }

        String text() {
            return NumberText.withInterval(value, low, high);
        }
    }

    private static final int BAR_HEIGHT = 34;
    private static final int AXIS_HEIGHT = 70;

    /** As a part of a category's row. */
    private static final double BAR_WIDTH = 0.62;

    /** Room for the figure beside the longest mark, as a part of the axis. */
    private static final double LABEL_ROOM = 0.32;

    /** Between a mark and its figure, as a part of the axis. */
    private static final double GAP = 0.02;

    private BarPlot() {}

    /** The plot as an SVG element. */
    public static String svg(String title, List<Bar> bars, String valueLabel, Scale scale, String colour) {
        Map<String, Object> data = PlotSpec.of(
                "category", SeriesStyle.keys(bars.size()),
                "value", bars.stream().map(Bar::value).toList(),
                "text", bars.stream().map(bar -> NumberText.of(bar.value())).toList(),
                "beside", bars.stream().map(bar -> beside(bar, bars, scale)).toList(),
                "low", bars.stream().map(Bar::low).toList(),
                "high", bars.stream().map(Bar::high).toList());
        Map<String, Object> mapping = PlotSpec.of("x", "category", "y", "value");
        Map<String, Object> mark = scale == Scale.LINEAR
                ? PlotSpec.layer(
                        "bar", PlotSpec.of(), "stat", "identity", "fill", colour, "width", BAR_WIDTH, "size", 0.0)
                : PlotSpec.layer("point", PlotSpec.of(), "color", colour, "size", 5.0);
        Map<String, Object> figures = PlotSpec.of("label", "text", "y", "beside");
        Map<String, Object> text = PlotSpec.layer("text", figures, "hjust", "left", "color", PlotSvg.INK, "size", 6.2);
        Map<String, Object> ends = PlotSpec.of("ymin", "low", "ymax", "high");
        Map<String, Object> whisker = PlotSpec.layer("linerange", ends, "color", PlotSvg.INK, "size", 1.2);
        Map<String, Object> targets = PlotSpec.targets(mapping, data, bars.size());
        Map<String, Object> categories =
                PlotSpec.categories(bars.stream().map(Bar::category).toList());
        double margin = scale == Scale.LINEAR ? 0.5 - BAR_WIDTH / 2 : 0.5;
        Map<String, Object> plot = PlotSpec.plot(
                bars.stream().anyMatch(Bar::hasInterval)
                        ? List.of(mark, whisker, text, targets)
                        : List.of(mark, text, targets),
                List.of(PlotSpec.with(categories, "expand", List.of(0.0, margin)), valueAxis(bars, valueLabel, scale)));
        // The axes are flipped: these are the lines along the bars, which would strike the figures through.
        Map<String, Object> theme =
                PlotSpec.with(PlotSpec.theme(), "panel_grid_major_x", PlotSpec.of("name", "blank", "blank", true));
        Map<String, Object> flipped = PlotSpec.of("name", "flip");
        String reading = String.join(
                "; ",
                bars.stream()
                        .map(bar -> bar.category() + " " + NumberText.of(bar.value()))
                        .toList());
        return PlotSvg.draw(
                PlotSpec.with(plot, "data", data, "mapping", mapping, "coord", flipped, "theme", theme),
                AXIS_HEIGHT + BAR_HEIGHT * bars.size(),
                title + ". " + valueLabel + ": " + reading + ".",
                bars.stream()
                        .map(bar -> bar.category() + "\n" + valueLabel + ": " + bar.text())
                        .toList());
    }

    /** Where a value is written: a little after its mark. */
    private static double beside(Bar bar, List<Bar> bars, Scale scale) {
        return scale == Scale.LINEAR
                ? bar.high() + GAP * largest(bars)
                : bar.high() * Math.pow(10, 2 * GAP * decades(bars));
    }

    private static Map<String, Object> valueAxis(List<Bar> bars, String label, Scale scale) {
        if (scale == Scale.LINEAR) {
            double most = largest(bars) * (1 + LABEL_ROOM);
            return PlotSpec.of("aesthetic", "y", "name", label, "expand", List.of(0, 0), "limits", List.of(0.0, most));
        }
        int first = (int) Math.floor(Math.log10(smallest(bars)));
        int last = (int) Math.ceil(Math.log10(largest(bars)));
        int step = Math.ceilDiv(Math.max(1, last - first), 4);
        List<Double> breaks = IntStream.iterate(first, at -> at <= last, at -> at + step)
                .mapToObj(at -> Math.pow(10, at))
                .toList();
        return LogAxis.scale(
                "y",
                label,
                Math.pow(10, first - 0.1),
                Math.pow(10, last + LABEL_ROOM * (last - first + 0.1)),
                breaks,
                value -> NumberText.powerOfTen((int) Math.round(Math.log10(value))));
    }

    private static double decades(List<Bar> bars) {
        return Math.max(1, Math.log10(largest(bars) / smallest(bars)));
    }

    private static double largest(List<Bar> bars) {
        return bars.stream().mapToDouble(Bar::high).max().orElse(1);
    }

    private static double smallest(List<Bar> bars) {
        return bars.stream().mapToDouble(Bar::low).min().orElse(1);
    }
}
