package org.lemmata.report.plot;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** The pieces of a lets-plot specification that all plots share. */
public final class PlotSpec {

    /** Of every plot, in CSS pixels: one on a telephone, three side by side on a wide page. */
    static final int WIDTH = 340;

    /** Colours that no mark has: the lower two bytes are the number of a target. */
    private static final int TARGET = 0x010000;

    private static final int TARGETS = 0x10000;

    /** Of a target in the units of lets-plot, greater than any mark. */
    private static final double TARGET_SIZE = 8;

    private PlotSpec() {}

    /**
     * A layer of invisible discs over the marks, which tell the values to those who point at them; {@link PlotSvg}
     * gives each the reading of its number.
     *
     * @param mapping of x, y, and of what sets marks of one category apart
     * @param data its columns, one value a target
     */
    public static Map<String, Object> targets(Map<String, Object> mapping, Map<String, Object> data, int count) {
        List<String> colours = IntStream.range(0, Math.min(count, TARGETS))
                .mapToObj(i -> String.format(Locale.ROOT, "#%06x", TARGET + i))
                .toList();
        Map<String, Object> layer =
                layer("point", with(mapping, "fill", "target"), "data", with(data, "target", colours));
        return with(layer, "shape", 21, "color", "#000000", "size", TARGET_SIZE, "show_legend", false);
    }

    /**
     * A layer that draws: what its marks stand for is told by {@link #targets}.
     *
     * @param more names and values in turn
     */
    public static Map<String, Object> layer(String geom, Map<String, Object> mapping, Object... more) {
        return with(of("geom", geom, "mapping", mapping, "tooltips", "none"), more);
    }

    /**
     * A plot.
     *
     * @param more names and values in turn
     */
    public static Map<String, Object> plot(
            List<Map<String, Object>> layers, List<Map<String, Object>> scales, Object... more) {
        var all = new ArrayList<>(scales);
        all.add(of("aesthetic", "fill", "scale_mapper_kind", "identity", "guide", "none"));
        return with(of("kind", "plot", "layers", layers, "scales", all, "theme", theme()), more);
    }

    /**
     * The axis of categories, from top to bottom in a plot whose axes are flipped; their keys are "0", "1" and so on.
     */
    static Map<String, Object> categories(List<String> labels) {
        List<String> keys = SeriesStyle.keys(labels.size());
        Map<String, Object> axis = of("aesthetic", "x", "name", "", "discrete", true);
        return with(axis, "limits", keys.reversed(), "breaks", keys, "labels", labels);
    }

    /** The number of the target that has a colour; empty if it is none's. */
    static OptionalInt target(String hex) {
        if (!hex.startsWith("#01") || hex.length() != 7) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(HexFormat.fromHexDigits(hex, 1, 7) - TARGET);
    }

    /** A mutable map, as the library wants it, of names and values in turn. */
    public static Map<String, Object> of(Object... namesAndValues) {
        return with(Map.of(), namesAndValues);
    }

    /** A copy of {@code base} with more names and values. */
    public static Map<String, Object> with(Map<String, Object> base, Object... namesAndValues) {
        var map = new LinkedHashMap<String, Object>(base);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }

    /** Without a legend: that is text of the page, which wraps as text does. */
    static Map<String, Object> theme() {
        return of(
                "name", "minimal",
                "legend_position", "none",
                "axis_title", of("name", "text", "size", 13.0, "blank", false),
                "axis_text", of("name", "text", "size", 13.0, "blank", false),
                "panel_grid_minor", of("name", "blank", "blank", true));
    }
}
