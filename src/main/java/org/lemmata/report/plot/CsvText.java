package org.lemmata.report.plot;

import java.util.List;
import java.util.stream.Collectors;

/** Writes rows as CSV (RFC 4180), with all digits of numbers. */
public final class CsvText {

    private CsvText() {}

    public static String of(List<String> columns, List<? extends List<?>> rows) {
        var text = new StringBuilder(line(columns));
        rows.forEach(row -> text.append(line(row)));
        return text.toString();
    }

    private static String line(List<?> values) {
        return values.stream().map(value -> field(String.valueOf(value))).collect(Collectors.joining(",", "", "\r\n"));
    }

    private static String field(String value) {
        return value.matches("[^,\"\\r\\n]*") ? value : "\"" + value.replace("\"", "\"\"") + "\"";
    }
}
