package org.lemmata.report.plot;

import java.util.List;
import java.util.Locale;

/** A table of numbers; every row has as many cells as there are columns. */
public record Table(List<String> columns, List<Row> rows, CsvFile csv) {

    /** Of a plot whose numbers stand elsewhere. */
    public static final Table NONE = new Table(List.of(), List.of(), new CsvFile("", ""));

    public record Row(List<String> cells) {}

    /** The same numbers with all their digits: the name and the address of a download. */
    public record CsvFile(String name, String uri) {

        public static CsvFile of(String title, List<String> columns, List<? extends List<?>> rows) {
            String name =
                    title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
            return new CsvFile((name.isEmpty() ? "numbers" : name) + ".csv", CsvText.uri(CsvText.of(columns, rows)));
        }
    }
}
