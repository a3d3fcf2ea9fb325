package org.lemmata.sweep;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.CsvText;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;

/**
 * Records as a table in CSV (RFC 4180, but with LF as line break): one line per cell, one column per axis and
 * measurement, and two columns per interval that is not a single point. A measurement with the name of another column
 * is called {@code measured.NAME}.
 */
final class ResultTable {

    private static final List<String> OF_RUN = List.of("seconds", "attempts", "reason");

    private ResultTable() {}

    static void write(Path file, Collection<CellRecord> records) throws IOException {
        Set<String> columns = new LinkedHashSet<>();
        columns.add("cell");
        columns.add("status");
        records.forEach(record -> columns.addAll(record.axes().keySet()));
        columns.add("seed");
        Set<String> others = new HashSet<>(columns);
        others.addAll(OF_RUN);
        List<Map<String, Object>> rows =
                records.stream().map(record -> row(record, others)).toList();
        rows.forEach(row ->
                row.keySet().stream().filter(name -> !OF_RUN.contains(name)).forEach(columns::add));
        columns.addAll(OF_RUN);
        AtomicFile.write(file, writer -> {
            if (!rows.isEmpty()) {
                writer.write(CsvText.line(List.copyOf(columns)) + "\n");
            }
            for (Map<String, Object> row : rows) {
                writer.write(CsvText.line(columns.stream()
                                .map(name -> row.getOrDefault(name, ""))
                                .toList())
                        + "\n");
            }
        });
    }

    private static Map<String, Object> row(CellRecord record, Set<String> others) {
        var row = new LinkedHashMap<String, Object>();
        row.put("cell", record.cell());
        row.put("status", record.status().name().toLowerCase(Locale.ROOT));
        row.putAll(record.axes());
        row.put("seed", record.seed());
        for (Measurement measurement : record.measurements()) {
            String name = others.contains(measurement.name()) ? "measured." + measurement.name() : measurement.name();
            row.put(name, measurement.value());
            if (measurement.interval().low() < measurement.interval().high()) {
                row.put(name + ".low", measurement.interval().low());
                row.put(name + ".high", measurement.interval().high());
            }
        }
        row.put("seconds", record.run().seconds());
        row.put("attempts", record.run().attempts());
        row.put("reason", Objects.requireNonNullElse(record.reason(), ""));
        return row;
    }
}
