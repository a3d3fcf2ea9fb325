package org.lemmata.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.Figure;
import org.lemmata.report.plot.Lines;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Plot;
import org.lemmata.report.plot.SeriesStyle;
import org.lemmata.report.plot.Table;

/**
 * How tasks generalize in length, side by side: the pictures of all claims whose id has the part {@code comparison},
 * drawn over the same axes with the same lines. A task joins by such a claim.
 */
final class GeneralizationSection {

    /** A part of an id: {@code length.comparison.dyck-words}. */
    private static final String COMPARISON = ".comparison.";

    private GeneralizationSection() {}

    /** The tasks, and the claims that say what is expected of each. */
    record Generalization(Plot.Group group, List<Link> claims) {}

    /** A claim with its verdict. */
    record Link(String anchor, String id, String statement, Page.Badge verdict) {}

    /** Null where no claim has such a picture. */
    static @Nullable Generalization of(List<ClaimResult> results) {
        List<ClaimResult> claims = results.stream()
                .filter(result ->
                        result.id().contains(COMPARISON) && !result.figures().isEmpty())
                .toList();
        return claims.isEmpty()
                ? null
                : new Generalization(
                        group(claims.stream()
                                .map(claim -> claim.figures().getFirst())
                                .toList()),
                        claims.stream().map(GeneralizationSection::link).toList());
    }

    private static Link link(ClaimResult claim) {
        return new Link(
                ClaimSection.anchor(claim.id()), claim.id(), claim.said().text(), ClaimSection.badge(claim.outcome()));
    }

    private static Plot.Group group(List<Figure> figures) {
        var styles = new LinkedHashMap<String, Integer>();
        figures.forEach(figure -> figure.series().forEach(line -> styles.putIfAbsent(line.name(), styles.size())));
        double[] x = figures.stream()
                .flatMap(figure -> figure.series().stream())
                .flatMap(line -> line.x().stream())
                .mapToDouble(Double::doubleValue)
                .toArray();
        var longest = new Lines.Axis(
                figures.getFirst().xLabel(),
                Lines.Scale.LINEAR,
                DoubleStream.of(x).min().orElse(0),
                DoubleStream.of(x).max().orElse(1));
        var share = new Lines.Axis(figures.getFirst().yLabel(), Lines.Scale.LINEAR, 0, 1);
        return new Plot.Group(
                "Share of right answers by test length",
                "A panel for each task, over the same axes: T is the test length, N the training length. Means over"
                        + " seeds; bars are 95% intervals.",
                figures.stream()
                        .map(figure -> panel(figure, styles, longest, share))
                        .toList(),
                SeriesStyle.legend(List.copyOf(styles.keySet()), true),
                table(figures));
    }

    private static Plot panel(Figure figure, Map<String, Integer> styles, Lines.Axis x, Lines.Axis y) {
        Lines own = Lines.of(figure);
        List<Lines.Line> lines = own.lines().stream()
                .map(line -> new Lines.Line(line.name(), styles.getOrDefault(line.name(), line.style()), line.points()))
                .toList();
        return new Lines(own.title(), own.caption(), x, y, lines).panel();
    }

    /** A row for each line of each task, a column for each x. */
    private static Table table(List<Figure> figures) {
        var all = new TreeSet<Double>();
        figures.forEach(figure -> figure.series().forEach(line -> all.addAll(line.x())));
        var columns = new ArrayList<>(List.of("task: model"));
        all.forEach(x -> columns.add(figures.getFirst().xLabel() + " = " + NumberText.of(x)));
        var rows = new ArrayList<Table.Row>();
        var values = new ArrayList<List<?>>();
        for (Figure figure : figures) {
            for (Lines.Line line : Lines.of(figure).lines()) {
                var byX = new LinkedHashMap<Double, Lines.Point>();
                line.points().forEach(point -> byX.put(point.x(), point));
                var cells = new ArrayList<>(List.of(figure.title() + ": " + line.name()));
                all.forEach(x -> cells.add(byX.containsKey(x) ? byX.get(x).text() : ""));
                rows.add(new Table.Row(cells));
                line.points()
                        .forEach(point -> values.add(
                                List.of(figure.title(), line.name(), point.x(), point.y(), point.low(), point.high())));
            }
        }
        return new Table(
                columns,
                rows,
                Table.CsvFile.of(
                        "generalization in length",
                        List.of(
                                "task",
                                "model",
                                figures.getFirst().xLabel(),
                                figures.getFirst().yLabel(),
                                "low",
                                "high"),
                        values));
    }
}
