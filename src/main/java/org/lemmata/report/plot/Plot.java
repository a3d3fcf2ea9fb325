package org.lemmata.report.plot;

import java.util.List;

/** A plot with its numbers. */
public record Plot(String title, String caption, String svg, List<Key> legend, Table data) {

    /** What a mark stands for, and the mark. */
    public record Key(String name, String svg) {}

    /** Plots that belong side by side, with the legend that they share. */
    public record Group(String title, String caption, List<Plot> plots, List<Key> legend, Table data) {

        /** Those from one place to another. */
        public Group part(int from, int to) {
            return new Group(title, caption, plots.subList(from, to), legend, data);
        }
    }

    /** A plot of a group, which has the legend and the numbers. */
    public static Plot ofGroup(String title, String svg) {
        return new Plot(title, "", svg, List.of(), Table.NONE);
    }

    /** A table of numbers as they are read; every row has as many cells as there are columns. */
    public record Table(List<String> columns, List<List<String>> rows) {

        /** Of a plot whose numbers stand elsewhere. */
        static final Table NONE = new Table(List.of(), List.of());
    }
}
