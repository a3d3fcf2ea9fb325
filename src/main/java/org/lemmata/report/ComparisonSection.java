package org.lemmata.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.report.plot.DotPlot;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Plot;
import org.lemmata.report.plot.SeriesStyle;
import org.lemmata.statistic.Median;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;

/** The page's section that compares the current run with the baseline. */
public final class ComparisonSection {

    private static final String NOISE = "Noise floors";

    private static final String NO_BREAK = "\u00a0";

    record Compared(Comparison with, List<Badge.Tally> tally, List<Row> rows) {}

    /** A row of the table. The texts of its ratio are empty if it was not compared. */
    public record Row(ComparisonRow row, Tracking.Profile profile) {

        public Badge badge() {
            return Badge.of(row.verdict());
        }

        public String benchmark() {
            return shortName(row.benchmark());
        }

        public String parameters() {
            return ComparisonSection.parameters(row.params());
        }

        /** The speed, or ratio within the run, of the current run divided by the baseline's, as text. */
        public String ratio() {
            return ComparisonSection.ratio(row.ratio());
        }

        public String range() {
            return !isKnown()
                    ? ""
                    : row.isInformative() ? NumberText.range(row.interval()) : ComparisonRow.NO_INFORMATION;
        }

        public String margin() {
            return isKnown() ? NumberText.ratio(100 * row.margin()) + "%" : "";
        }

        private boolean isKnown() {
            return Double.isFinite(row.ratio());
        }

        /** The number of forks that a verdict would need; empty if the row has a verdict, or too many are needed. */
        public String forks() {
            return row.forksNeeded() == null ? "" : NumberText.of(row.forksNeeded());
        }

        KernelSection.Quantity change() {
            return quantity(row.ratio());
        }

        KernelSection.Quantity baseline() {
            return quantity(Objects.requireNonNull(row.within()).before());
        }

        KernelSection.Quantity current() {
            return quantity(Objects.requireNonNull(row.within()).now());
        }
    }

    private ComparisonSection() {}

    static @Nullable Compared of(Tracking tracking) {
        Comparison comparison = tracking.comparison();
        return comparison == null
                ? null
                : new Compared(comparison, Badge.tally(comparison.rows()), rows(comparison.rows(), tracking));
    }

    /** The rows, with the most important ones first. */
    public static List<Row> rows(List<ComparisonRow> rows, Tracking tracking) {
        return rows.stream()
                .map(row -> new Row(row, tracking.profile(row.id())))
                .sorted(Comparator.comparingInt((Row row) -> row.badge().rank())
                        .thenComparingDouble(row -> row.row.ratio()))
                .toList();
    }

    private static KernelSection.Quantity quantity(double ratio) {
        return KernelSection.Quantity.of(ratio(ratio), ratio);
    }

    public static String ratio(double ratio) {
        return Double.isFinite(ratio) ? NumberText.ratio(ratio) + "×" : "";
    }

    /** Class and method of a benchmark without their packages. */
    public static String shortName(String benchmark) {
        return benchmark.replaceFirst("^[^:]*\\.(?=[^.:]*\\.[^.:]*(:.*)?$)", "");
    }

    public static String parameters(Map<String, String> params) {
        return params.entrySet().stream()
                .map(entry -> Refuse.printable(entry.getKey() + NO_BREAK + entry.getValue()))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /**
     * The noise floors of several runs in one plot.
     *
     * @param runs comparisons by name
     * @return null if there are none
     */
    static Plot.@Nullable Group noise(SequencedMap<String, Comparison> runs) {
        var floors = new LinkedHashMap<String, DotPlot.Row>();
        runs.forEach((name, run) -> {
            for (ComparisonRow row : run.rows()) {
                if (Double.isFinite(row.noiseFloor()) && row.noiseFloor() > 1) {
                    double floor = 100 * (row.noiseFloor() - 1);
                    floors.computeIfAbsent(noiseLabel(row), label -> new DotPlot.Row(label, new HashMap<>()))
                            .dots()
                            .put(name, new DotPlot.Dot(floor, floor, floor, ""));
                }
            }
        });
        if (floors.isEmpty()) {
            return null;
        }
        List<String> names = runs.keySet().stream()
                .filter(name ->
                        floors.values().stream().anyMatch(row -> row.dots().containsKey(name)))
                .toList();
        List<DotPlot.Row> rows = List.copyOf(floors.values());
        String medians = names.stream()
                .map(name -> name + " " + NumberText.ratio(medianNoise(rows, name)) + "%")
                .collect(Collectors.joining(", "));
        return new Plot.Group(
                NOISE,
                "The smallest detectable change in percent, from runs of the same code against itself."
                        + " Medians over rows: " + medians + ".",
                List.of(Plot.ofGroup("", DotPlot.svg(NOISE, names, rows, DotPlot.Axis.NOISE))),
                SeriesStyle.legend(names, false),
                noiseTable(names, rows));
    }

    private static Plot.Table noiseTable(List<String> names, List<DotPlot.Row> rows) {
        List<String> columns = new ArrayList<>(List.of("benchmark"));
        columns.addAll(names);
        return new Plot.Table(
                columns,
                rows.stream()
                        .map(row -> Stream.concat(
                                        Stream.of(row.category()),
                                        names.stream()
                                                .map(name -> row.dots().get(name))
                                                .map(floor -> floor == null ? "" : NumberText.ratio(floor.value())))
                                .toList())
                        .toList());
    }

    private static double medianNoise(List<DotPlot.Row> rows, String name) {
        return Median.of(rows.stream()
                .flatMap(row -> Stream.ofNullable(row.dots().get(name)))
                .mapToDouble(DotPlot.Dot::value)
                .toArray());
    }

    /** Class and method, without a size: a suite has one size of each benchmark. */
    private static String noiseLabel(ComparisonRow row) {
        return row.shortName().replaceFirst(" .*", "").replace("Benchmark.", " ");
    }
}
