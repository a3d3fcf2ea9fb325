package org.lemmata.report.plot;

import java.util.List;
import java.util.function.IntFunction;

/** A plot in both widths, with its numbers; one that is as narrow as a telephone has the one width. */
public record Plot(String title, String caption, String wideSvg, String narrowSvg, List<Key> legend, Table data) {

    /** What a mark stands for, and the mark. */
    public record Key(String name, String svg) {}

    /** Plots that belong side by side, with the legend that they share. */
    public record Group(String title, String caption, List<Plot> plots, List<Key> legend, Table data) {}

    /**
     * A plot of a group, which has the legend and the numbers.
     *
     * @param svg of a width in CSS pixels
     * @param width on a wide page
     */
    public static Plot ofGroup(String title, int width, IntFunction<String> svg) {
        return new Plot(title, "", svg.apply(width), svg.apply(PlotSpec.NARROW), List.of(), Table.NONE);
    }
}
