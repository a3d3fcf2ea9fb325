package org.lemmata.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Plot;
import org.lemmata.report.plot.PlotSpec;
import org.lemmata.report.plot.SeriesStyle;
import org.lemmata.report.plot.Table;
import org.lemmata.statistic.Median;
import org.lemmata.track.Comparison;
import org.lemmata.track.ComparisonRow;

/** What a difference must exceed to be seen: noise floors of runs of the same code against itself, row by row. */
final class NoiseSection {

    private static final String TITLE = "Noise floors";

    private NoiseSection() {}

    /**
     * The noise floors of several runs in one picture.
     *
     * @param runs by what they are called
     * @return null where there is none
     */
    static Plot.@Nullable Group of(SequencedMap<String, Comparison> runs) {
        Map<String, SequencedMap<String, Speedup>> floors = new LinkedHashMap<>();
        runs.forEach((name, run) -> {
            for (ComparisonRow row : run.rows()) {
                if (Double.isFinite(row.noiseFloor()) && row.noiseFloor() > 1) {
                    double floor = 100 * (row.noiseFloor() - 1);
                    floors.computeIfAbsent(label(row), label -> new LinkedHashMap<>())
                            .put(name, new Speedup(floor, floor, floor, false));
                }
            }
        });
        if (floors.isEmpty()) {
            return null;
        }
        List<String> names = runs.keySet().stream()
                .filter(name -> floors.values().stream().anyMatch(row -> row.containsKey(name)))
                .toList();
        List<PeerRatios.Line> lines = floors.entrySet().stream()
                .map(entry -> new PeerRatios.Line(entry.getKey(), Double.NaN, "", entry.getValue()))
                .toList();
        var ratios = new PeerRatios(TITLE, names, lines);
        String medians = names.stream()
                .map(name -> name + " " + NumberText.ratio(median(lines, name)) + "%")
                .collect(Collectors.joining(", "));
        var plot = new Plot(
                "",
                "",
                PeerPlot.svg(ratios, PeerPlot.Axis.NOISE, PlotSpec.WIDE),
                PeerPlot.svg(ratios, PeerPlot.Axis.NOISE, PlotSpec.NARROW),
                List.of(),
                Table.NONE);
        return new Plot.Group(
                TITLE,
                "By how many percent a ratio must exceed 1 to be told from it: the same code against itself."
                        + " Medians over rows: " + medians + ".",
                List.of(plot),
                IntStream.range(0, names.size())
                        .mapToObj(i -> SeriesStyle.key(i, names.get(i), false))
                        .toList(),
                table(ratios));
    }

    private static Table table(PeerRatios floors) {
        List<String> columns = new ArrayList<>(List.of("benchmark"));
        columns.addAll(floors.peers());
        var cells = new ArrayList<Table.Row>();
        var numbers = new ArrayList<List<?>>();
        for (PeerRatios.Line line : floors.lines()) {
            var texts = new ArrayList<>(List.of(line.size()));
            var values = new ArrayList<Object>(List.of(line.size()));
            for (String name : floors.peers()) {
                Speedup floor = line.byPeer().get(name);
                texts.add(floor == null ? "" : NumberText.ratio(floor.ratio()));
                values.add(floor == null ? "" : floor.ratio());
            }
            cells.add(new Table.Row(texts));
            numbers.add(values);
        }
        return new Table(columns, cells, Table.CsvFile.of(TITLE, columns, numbers));
    }

    private static double median(List<PeerRatios.Line> lines, String name) {
        return Median.of(lines.stream()
                .filter(line -> line.byPeer().containsKey(name))
                .mapToDouble(line -> line.byPeer().get(name).ratio())
                .toArray());
    }

    /** Class and method: a suite has one size of each. */
    private static String label(ComparisonRow row) {
        return row.shortName().replaceFirst(" .*", "").replace("Benchmark.", " ");
    }
}
