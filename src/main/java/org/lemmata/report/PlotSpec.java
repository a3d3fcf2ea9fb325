package org.lemmata.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The pieces of a lets-plot specification that all plots share. */
final class PlotSpec {

    /** Width of a plot in the column of a wide page, in CSS pixels. */
    static final int WIDE = 720;

    /** Width of a plot on a telephone: the same letters, fewer of them. */
    static final int NARROW = 340;

    private PlotSpec() {}

    /** A mutable map, as the library wants it, of names and values in turn. */
    static Map<String, Object> of(Object... namesAndValues) {
        return with(Map.of(), namesAndValues);
    }

    /** A copy of {@code base} with more names and values. */
    static Map<String, Object> with(Map<String, Object> base, Object... namesAndValues) {
        var map = new LinkedHashMap<String, Object>(base);
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }

    static Map<String, Object> theme(String legendPosition) {
        return of(
                "name", "minimal",
                "legend_position", legendPosition,
                "legend_direction", "vertical",
                "legend_justification", List.of(0.0, 0.5),
                "axis_title", of("name", "text", "size", 13.0, "blank", false),
                "axis_text", of("name", "text", "size", 13.0, "blank", false),
                "panel_grid_minor", of("name", "blank", "blank", true));
    }
}
