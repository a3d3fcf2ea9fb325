package org.lemmata.report.plot;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The style of a series: colour, dash and marker, so that readers need not distinguish colours. The 36 pairs of colour
 * and marker are distinct.
 *
 * @param dash the dash pattern of its line in SVG
 * @param marker the number of its marker
 */
public record SeriesStyle(String variable, String dash, int marker) {

    /** The values of {@code --series-1} etc. for separate files, after Okabe and Ito (2008). */
    static final List<String> COLOURS = List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#333333");

    public static final int COUNT = COLOURS.size();

    private static final List<String> DASHES = List.of("none", "8 5", "2.4 4.5", "2.4 4 8 4", "13 5", "3 2.5 11 2.5");

    public static SeriesStyle of(int index) {
        int colour = index % COUNT;
        // The markers shift by one each time the colours repeat.
        int shape = (index + index / COUNT) % COUNT;
        return new SeriesStyle("--series-" + (colour + 1), DASHES.get(shape), shape);
    }

    /** The path of the marker at a position: disc, triangle, square, open diamond, star or cross. */
    public String mark(double x, double y) {
        return "M" + Panel.place(x, y)
                + switch (marker) {
                    case 0 -> "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z";
                    case 1 -> "m0 -5l4.4 7.7h-8.8z";
                    case 2 -> "m-3.8 -3.8h7.6v7.6h-7.6z";
                    case 3 -> "m0 -5l5 5l-5 5l-5 -5z";
                    case 4 -> "m-3.4 -3.4l6.8 6.8m0 -6.8l-6.8 6.8m3.4 1.4v-9.6m-4.8 4.8h9.6";
                    default -> "m-4 -4l8 8m0 -8l-8 8";
                };
    }

    /** Draws the paths of markers in the colour of this style, as one element. */
    public String marks(String paths) {
        String colour = "var(" + variable + ")";
        return "<path d=\"" + paths + "\" stroke-width=\"1.5\" style=\"fill:" + (marker == 3 ? "none" : colour)
                + ";stroke:" + colour + "\"/>";
    }

    public static List<Plot.Key> legend(List<String> names, boolean lines) {
        return IntStream.range(0, names.size())
                .mapToObj(i -> of(i).key(names.get(i), lines))
                .toList();
    }

    Plot.Key key(String name, boolean line) {
        String mark = (line ? stroke("M1 7H33") : "") + marks(mark(17, 7));
        return new Plot.Key(name, "<svg class=\"key\" viewBox=\"0 0 34 14\" aria-hidden=\"true\">" + mark + "</svg>");
    }

    String stroke(String path) {
        return "<path d=\"%s\" fill=\"none\" stroke-width=\"2.2\" stroke-dasharray=\"%s\" style=\"stroke:var(%s)\"/>"
                .formatted(path, dash, variable);
    }
}
