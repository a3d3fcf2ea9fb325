package org.lemmata.report.plot;

import java.util.List;

/** A plot with the table of its numbers. */
public record Plot(String title, String caption, String svg, List<Key> legend, Table data) {

    /** An entry of a legend: the name of a series, and its mark. */
    public record Key(String name, String svg) {}

    /** Plots side by side, with a common legend. */
    public record Group(String title, String caption, List<Plot> plots, List<Key> legend, Table data) {

        public Group part(int from, int to) {
            return new Group(title, caption, plots.subList(from, to), legend, data);
        }
    }

    /** A plot of a group. The group has the legend and the table. */
    public static Plot ofGroup(String title, String svg) {
        return new Plot(title, "", svg, List.of(), Table.NONE);
    }

    /** A table of formatted numbers; every row has one cell per column. */
    public record Table(List<String> columns, List<List<String>> rows) {

        /** The empty table, for a plot in a group. */
        static final Table NONE = new Table(List.of(), List.of());
    }
}
