package org.lemmata.report.plot;

import java.util.List;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;

/** Finds the markers of a drawn plot. */
public final class Marks {

    private static final Pattern PLACE = Pattern.compile("M([\\d.-]+) ([\\d.-]+)");

    private Marks() {}

    /** The positions of a series' markers as (x, y), in order; the first series is 1. */
    public static List<List<Double>> of(Element svg, int series) {
        return svg.select("path[style^=fill:][style*=--series-" + series + ")]").stream()
                .flatMap(path -> PLACE.matcher(path.attr("d")).results())
                .map(place -> List.of(Double.valueOf(place.group(1)), Double.valueOf(place.group(2))))
                .toList();
    }
}
