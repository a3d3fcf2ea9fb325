package org.lemmata.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedCollection;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Plot;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.ScalarReference;

/**
 * The page's section of benchmarks: the plots over several classes, then one table per class, with rows of equal
 * parameters next to each other.
 */
record BenchmarkSection(String file, int count, List<Plot.Group> groups, List<ClassTable> classes) {

    /** The table of a class. A column is displayed if any row has a value for it. */
    record ClassTable(String name, String packageName, List<String> params, List<String> counters, List<Row> rows) {

        boolean compared() {
            return rows.stream().anyMatch(shown -> shown.overScalar != null);
        }

        boolean roofed() {
            return rows.stream().anyMatch(shown -> !shown.share.isEmpty());
        }
    }

    /**
     * A row with its texts.
     *
     * @param values the values of the class's parameters
     * @param counted the counters of the class
     */
    record Row(
            BenchmarkRow row,
            List<String> values,
            List<String> counted,
            @Nullable OverScalar overScalar,
            String share) {

        String score() {
            return NumberText.withError(row.score(), row.error());
        }

        String forks() {
            return NumberText.of(row.forks());
        }
    }

    static BenchmarkSection of(ReportInput.Benchmarks input, Optional<Plot.Group> roofs) {
        var roofline = new Roofline(input.rows());
        var references = new ScalarReference(input.rows());
        return new BenchmarkSection(
                input.file(),
                input.rows().size(),
                roofs.stream().toList(),
                by(input.rows(), BenchmarkRow::benchmarkClass).stream()
                        .map(rows -> table(rows, references, roofline))
                        .toList());
    }

    private static SequencedCollection<List<BenchmarkRow>> by(
            List<BenchmarkRow> rows, Function<BenchmarkRow, Object> key) {
        return rows.stream()
                .collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()))
                .sequencedValues();
    }

    private static ClassTable table(List<BenchmarkRow> rows, ScalarReference references, Roofline roofline) {
        List<String> params = names(rows, BenchmarkRow::params);
        List<String> counters = names(rows, BenchmarkRow::secondary);
        // Rows are grouped by their parameters, because readers compare methods at one size; JMH orders rows by method.
        List<Row> shown = by(rows, BenchmarkRow::params).stream()
                .flatMap(List::stream)
                .map(row -> new Row(
                        row,
                        params.stream()
                                .map(name -> row.params().getOrDefault(name, ""))
                                .toList(),
                        counters.stream().map(name -> counter(row, name)).toList(),
                        references
                                .of(row)
                                .map(scalar -> OverScalar.of(scalar, row))
                                .orElse(null),
                        roofline.share(row).map(Roofline::percent).orElse("")))
                .toList();
        String name = rows.getFirst().simpleClass();
        String qualified = rows.getFirst().benchmarkClass();
        return new ClassTable(
                name,
                qualified.equals(name) ? "" : qualified.substring(0, qualified.length() - name.length() - 1),
                params,
                counters,
                shown);
    }

    private static List<String> names(List<BenchmarkRow> rows, Function<BenchmarkRow, Map<String, ?>> named) {
        return rows.stream()
                .flatMap(row -> named.apply(row).keySet().stream())
                .distinct()
                .toList();
    }

    /** The counter without JMH's "#" or "ops" in its unit, because the column head names the counted things. */
    private static String counter(BenchmarkRow row, String name) {
        BenchmarkRow.Metric metric = row.secondary().get(name);
        return metric == null
                ? ""
                : NumberText.of(metric.score())
                        + (metric.unit().equals("#") ? "" : " " + metric.unit().replaceFirst("^ops(?=/)", ""));
    }
}
