package org.lemmata.file;

import java.util.List;
import java.util.stream.Collectors;

/** Writes rows as CSV (RFC 4180), with all digits of numbers. */
public final class CsvText {

    private CsvText() {}

    public static String of(List<String> columns, List<? extends List<?>> rows) {
        var text = new StringBuilder(line(columns)).append("\r\n");
        rows.forEach(row -> text.append(line(row)).append("\r\n"));
        return text.toString();
    }

    /** One row without a line break. */
    public static String line(List<?> values) {
        return values.stream().map(value -> field(String.valueOf(value))).collect(Collectors.joining(","));
    }

    private static String field(String value) {
        return value.matches("[^,\"\\r\\n]*") ? value : "\"" + value.replace("\"", "\"\"") + "\"";
    }
}
