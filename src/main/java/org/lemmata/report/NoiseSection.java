package org.lemmata.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.report.plot.DotPlot;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Plot;
import org.lemmata.report.plot.SeriesStyle;
import org.lemmata.statistic.Median;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;

/**
 * The page's plot of noise floors: the smallest detectable difference of each row, from runs of the same code against
 * itself.
 */
final class NoiseSection {

    private static final String TITLE = "Noise floors";

    private NoiseSection() {}

    /**
     * The noise floors of several runs in one plot.
     *
     * @param runs comparisons by name
     * @return null if there are none
     */
    static Plot.@Nullable Group of(SequencedMap<String, Comparison> runs) {
        var floors = new LinkedHashMap<String, DotPlot.Row>();
        runs.forEach((name, run) -> {
            for (ComparisonRow row : run.rows()) {
                if (Double.isFinite(row.noiseFloor()) && row.noiseFloor() > 1) {
                    double floor = 100 * (row.noiseFloor() - 1);
                    floors.computeIfAbsent(label(row), label -> new DotPlot.Row(label, new HashMap<>()))
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
                .map(name -> name + " " + NumberText.ratio(median(rows, name)) + "%")
                .collect(Collectors.joining(", "));
        return new Plot.Group(
                TITLE,
                "The smallest detectable change in percent, from runs of the same code against itself."
                        + " Medians over rows: " + medians + ".",
                List.of(Plot.ofGroup("", DotPlot.svg(TITLE, names, rows, DotPlot.Axis.NOISE))),
                SeriesStyle.legend(names, false),
                table(names, rows));
    }

    private static Plot.Table table(List<String> names, List<DotPlot.Row> rows) {
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

    private static double median(List<DotPlot.Row> rows, String name) {
        return Median.of(rows.stream()
                .flatMap(row -> Stream.ofNullable(row.dots().get(name)))
                .mapToDouble(DotPlot.Dot::value)
                .toArray());
    }

    /** Class and method, without a size: a suite has one size of each benchmark. */
    private static String label(ComparisonRow row) {
        return row.shortName().replaceFirst(" .*", "").replace("Benchmark.", " ");
    }
}
