package org.lemmata.report.plot;

import java.util.List;

/** A table of numbers as they are read; every row has as many cells as there are columns. */
public record Table(List<String> columns, List<Row> rows) {

    /** Of a plot whose numbers stand elsewhere. */
    public static final Table NONE = new Table(List.of(), List.of());

    public record Row(List<String> cells) {}

    public static Table of(List<String> columns, List<List<String>> rows) {
        return new Table(columns, rows.stream().map(Row::new).toList());
    }
}
