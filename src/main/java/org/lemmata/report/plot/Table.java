package org.lemmata.report.plot;

import java.util.List;
import java.util.Locale;

/** A table of numbers; every row has as many cells as there are columns. */
public record Table(List<String> columns, List<Row> rows, CsvFile csv) {

    /** Of a plot whose numbers stand elsewhere. */
    public static final Table NONE = new Table(List.of(), List.of(), new CsvFile("", ""));

    public record Row(List<String> cells) {}

    /** What is read, and what the CSV has in its place. */
    public record Cell(String text, Object value) {

        public static Cell of(String text) {
            return new Cell(text, text);
        }

        public static Cell of(double value) {
            return new Cell(NumberText.of(value), value);
        }

        public static Cell of(long value) {
            return new Cell(NumberText.of(value), value);
        }

        /** A number of three digits. */
        public static Cell ratio(double value) {
            return new Cell(NumberText.ratio(value), value);
        }
    }

    /** A table whose CSV has the same cells. */
    public static Table of(String title, List<String> columns, List<List<Cell>> rows) {
        return new Table(
                columns,
                rows.stream()
                        .map(row -> new Row(row.stream().map(Cell::text).toList()))
                        .toList(),
                CsvFile.of(
                        title,
                        columns,
                        rows.stream()
                                .map(row -> row.stream().map(Cell::value).toList())
                                .toList()));
    }

    /** The same numbers with all their digits: the name and the address of a download. */
    public record CsvFile(String name, String uri) {

        public static CsvFile of(String title, List<String> columns, List<? extends List<?>> rows) {
            String name =
                    title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
            return new CsvFile((name.isEmpty() ? "numbers" : name) + ".csv", CsvText.uri(CsvText.of(columns, rows)));
        }
    }
}
