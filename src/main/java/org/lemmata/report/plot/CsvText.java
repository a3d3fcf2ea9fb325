package org.lemmata.report.plot;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** Rows as CSV (RFC 4180), numbers with all their digits; to be downloaded from the page itself. */
public final class CsvText {

    private CsvText() {}

    public static String of(List<String> columns, List<? extends List<?>> rows) {
        var text = new StringBuilder(line(columns));
        rows.forEach(row -> text.append(line(row)));
        return text.toString();
    }

    /** The text as the address of a download. */
    static String uri(String csv) {
        return "data:text/csv;charset=utf-8,"
                + URLEncoder.encode(csv, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String line(List<?> values) {
        return values.stream().map(value -> field(String.valueOf(value))).collect(Collectors.joining(",", "", "\r\n"));
    }

    private static String field(String value) {
        return value.matches("[^,\"\\r\\n]*") ? value : "\"" + value.replace("\"", "\"\"") + "\"";
    }
}
