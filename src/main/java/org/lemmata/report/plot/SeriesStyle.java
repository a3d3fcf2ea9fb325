package org.lemmata.report.plot;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * How one of several series is told from the others: by colour, dash and marker at once, so that no reader depends on
 * one of them. No two of 36 have colour and marker in common.
 *
 * @param colour what the plotting library draws in
 * @param variable the page's colour for it
 * @param dash of its line
 * @param marker of its points, in R's numbering
 */
public record SeriesStyle(String colour, String variable, String dash, int marker) {

    /** What a marker looks like in a legend. */
    private record Marker(int number, String shape) {}

    /** How a line looks in a legend. */
    private record Dash(String name, String lengths) {}

    private static final List<Dash> DASHES = List.of(
            new Dash("solid", "none"),
            new Dash("dashed", "8 5"),
            new Dash("dotted", "2.4 4.5"),
            new Dash("dotdash", "2.4 4 8 4"),
            new Dash("longdash", "13 5"),
            new Dash("twodash", "3 2.5 11 2.5"));

    /** Disc, triangle, square, open diamond (the solid one is drawn too small to be seen), star, cross. */
    private static final List<Marker> MARKERS = List.of(
            new Marker(16, "<circle cx=\"17\" cy=\"7\" r=\"4.2\"/>"),
            new Marker(17, "<path d=\"M17 2L21.8 10.6H12.2Z\"/>"),
            new Marker(15, "<path d=\"M13 3H21V11H13Z\"/>"),
            new Marker(5, "<path fill=\"none\" d=\"M17 2L22 7L17 12L12 7Z\"/>"),
            new Marker(8, "<path d=\"M13.5 3.5L20.5 10.5M20.5 3.5L13.5 10.5M17 2V12M12 7H22\"/>"),
            new Marker(4, "<path d=\"M13 3L21 11M21 3L13 11\"/>"));

    public static SeriesStyle of(int index) {
        int colour = index % PlotSvg.SERIES.size();
        // Shifted by one each time the colours begin again.
        int shape = shape(index);
        return new SeriesStyle(
                PlotSvg.SERIES.get(colour),
                "var(--series-" + (colour + 1) + ")",
                DASHES.get(shape).name,
                MARKERS.get(shape).number);
    }

    private static int shape(int index) {
        return (index + index / PlotSvg.SERIES.size()) % MARKERS.size();
    }

    /** What the series are called in the data of a plot: "0", "1" and so on. */
    public static List<String> keys(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }

    /** The scale of an aesthetic over the series: what each one's style says. */
    static Map<String, Object> scale(String aesthetic, List<SeriesStyle> styles, Function<SeriesStyle, Object> value) {
        List<String> keys = keys(styles.size());
        return PlotSpec.of(
                "aesthetic", aesthetic,
                "limits", keys,
                "breaks", keys,
                "values", styles.stream().map(value).toList());
    }

    /** The scales of the colours and markers of so many series. */
    public static List<Map<String, Object>> coloursAndMarkers(int count) {
        List<SeriesStyle> styles =
                IntStream.range(0, count).mapToObj(SeriesStyle::of).toList();
        return List.of(scale("color", styles, SeriesStyle::colour), scale("shape", styles, SeriesStyle::marker));
    }

    /** The legend of series in their order. */
    public static List<Plot.Key> legend(List<String> names, boolean lines) {
        return IntStream.range(0, names.size())
                .mapToObj(i -> key(i, names.get(i), lines))
                .toList();
    }

    /** The entry of a legend. */
    static Plot.Key key(int index, String name, boolean line) {
        String colour = of(index).variable;
        String stroke = !line
                ? ""
                : String.format(
                        Locale.ROOT,
                        "<path d=\"M1 7H33\" stroke-dasharray=\"%s\" style=\"stroke:%s\"/>",
                        DASHES.get(shape(index)).lengths,
                        colour);
        return new Plot.Key(
                name,
                String.format(
                        Locale.ROOT,
                        "<svg class=\"key\" viewBox=\"0 0 34 14\" aria-hidden=\"true\">%s<g"
                                + " style=\"fill:%s;stroke:%s\">%s</g></svg>",
                        stroke,
                        colour,
                        colour,
                        MARKERS.get(shape(index)).shape));
    }
}
