package org.lemmata.report.plot;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** The numbers of {@link Lines}: a row an x where every line has each x once, else a row a point. */
public final class LineTable {

    private LineTable() {}

    public static Table of(Lines lines) {
        boolean functions = lines.lines().stream().allMatch(LineTable::isFunction);
        return functions ? byX(lines) : byPoint(lines);
    }

    private static boolean isFunction(Lines.Line line) {
        var seen = new HashSet<Double>();
        return line.points().stream().allMatch(point -> seen.add(point.x()));
    }

    private static Table byX(Lines lines) {
        var columns = new ArrayList<>(List.of(lines.x().label()));
        var all = new TreeSet<Double>();
        var values = new ArrayList<TreeMap<Double, String>>();
        for (Lines.Line line : lines.lines()) {
            columns.add(line.name());
            var byX = new TreeMap<Double, String>();
            line.points().forEach(point -> byX.put(point.x(), point.text()));
            values.add(byX);
            all.addAll(byX.keySet());
        }
        var rows = new ArrayList<Table.Row>();
        for (Double x : all) {
            var cells = new ArrayList<>(List.of(NumberText.of(x)));
            values.forEach(byX -> cells.add(byX.getOrDefault(x, "")));
            rows.add(new Table.Row(cells));
        }
        return new Table(columns, rows);
    }

    private static Table byPoint(Lines lines) {
        var rows = new ArrayList<Table.Row>();
        for (Lines.Line line : lines.lines()) {
            line.points()
                    .forEach(point ->
                            rows.add(new Table.Row(List.of(line.name(), NumberText.of(point.x()), point.text()))));
        }
        return new Table(List.of("line", lines.x().label(), lines.y().label()), rows);
    }
}
