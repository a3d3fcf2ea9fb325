package org.lemmata.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Plot;
import org.lemmata.track.BenchmarkRow;
import org.lemmata.track.ScalarReference;

/** The page's section of benchmarks: one table per class, with rows of equal parameters next to each other. */
final class BenchmarkSection {

    private BenchmarkSection() {}

    static Page.Benchmarks of(ReportInput.Benchmarks input, Optional<Plot.Group> roofs) {
        Map<String, List<BenchmarkRow>> byClass = input.rows().stream()
                .collect(Collectors.groupingBy(BenchmarkRow::benchmarkClass, LinkedHashMap::new, Collectors.toList()));
        var roofline = new Roofline(input.rows());
        var references = new ScalarReference(input.rows());
        return new Page.Benchmarks(
                input.file(),
                input.rows().size(),
                roofs.stream().toList(),
                byClass.values().stream()
                        .map(rows -> benchmarkClass(rows, references, roofline))
                        .toList());
    }

    private static Page.BenchmarkClass benchmarkClass(
            List<BenchmarkRow> rows, ScalarReference references, Roofline roofline) {
        List<String> params = rows.stream()
                .flatMap(row -> row.params().keySet().stream())
                .distinct()
                .toList();
        List<String> counters = rows.stream()
                .flatMap(row -> row.secondary().keySet().stream())
                .distinct()
                .toList();
        List<Page.Benchmark> shown = sorted(rows).stream()
                .map(row -> benchmark(row, references, params, counters, roofline))
                .toList();
        BenchmarkRow first = rows.getFirst();
        String name = first.simpleClass();
        String qualified = first.benchmarkClass();
        return new Page.BenchmarkClass(
                name,
                qualified.equals(name) ? "" : qualified.substring(0, qualified.length() - name.length() - 1),
                params,
                counters,
                shown);
    }

    /** Groups rows by their parameters, because readers compare methods at one size; JMH orders rows by method. */
    private static List<BenchmarkRow> sorted(List<BenchmarkRow> rows) {
        Map<Map<String, String>, List<BenchmarkRow>> bySize = rows.stream()
                .collect(Collectors.groupingBy(BenchmarkRow::params, LinkedHashMap::new, Collectors.toList()));
        return bySize.values().stream().flatMap(List::stream).toList();
    }

    private static Page.Benchmark benchmark(
            BenchmarkRow row,
            ScalarReference references,
            List<String> params,
            List<String> counters,
            Roofline roofline) {
        Optional<OverScalar> speed = references.of(row).map(scalar -> OverScalar.of(scalar, row));
        OptionalDouble share = roofline.share(row);
        return new Page.Benchmark(
                params.stream().map(name -> row.params().getOrDefault(name, "")).toList(),
                row.method(),
                row.mode(),
                NumberText.withError(row.score(), row.error()),
                row.unit(),
                NumberText.of(row.forks()),
                counters.stream().map(name -> counter(row, name)).toList(),
                speed.map(OverScalar::text).orElse(""),
                speed.map(OverScalar::rangeText).orElse(""),
                share.isPresent() ? Roofline.percent(share.getAsDouble()) : "");
    }

    private static String counter(BenchmarkRow row, String name) {
        BenchmarkRow.Metric metric = row.secondary().get(name);
        if (metric == null) {
            return "";
        }
        return NumberText.of(metric.score()) + unitText(metric.unit());
    }

    /** The unit without JMH's "#" or "ops" for work counters, because the column head names the counted things. */
    private static String unitText(String unit) {
        if (unit.equals("#")) {
            return "";
        }
        return unit.startsWith("ops/") ? " " + unit.substring("ops".length()) : " " + unit;
    }
}
