package org.lemmata.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.lemmata.claim.ClaimResult;
import org.lemmata.claim.Figure;
import org.lemmata.file.AtomicFile;
import org.lemmata.report.plot.CsvText;
import org.lemmata.report.plot.Lines;
import org.lemmata.report.plot.PlotFile;

/** What {@code verify --out} writes of a claim: its figures as CSV, each picture as SVG, and its points as CSV. */
final class ClaimFiles {

    private ClaimFiles() {}

    /**
     * Writes them.
     *
     * @param name what their names begin with
     */
    static void write(Path directory, String name, ClaimResult result) throws IOException {
        AtomicFile.write(
                directory.resolve(name + ".csv"),
                CsvText.of(
                        List.of("name", "value", "unit", "low", "high", "n", "relation", "paper"),
                        result.measured().stream()
                                .map(each -> Arrays.asList(
                                        each.name(),
                                        each.value(),
                                        each.unit(),
                                        each.low(),
                                        each.high(),
                                        each.n(),
                                        each.relation() == null ? "" : each.relation(),
                                        each.paper() == null ? "" : each.paper()))
                                .toList()));
        for (int i = 0; i < result.figures().size(); i++) {
            Figure figure = result.figures().get(i);
            Path file = directory.resolve(name + "-" + (i + 1) + ".svg");
            AtomicFile.write(file, PlotFile.svg(Lines.of(figure)));
            AtomicFile.write(directory.resolve(name + "-" + (i + 1) + ".csv"), points(Lines.of(figure)));
        }
    }

    private static String points(Lines lines) {
        var rows = new ArrayList<List<Object>>();
        for (Lines.Line line : lines.lines()) {
            line.points()
                    .forEach(point -> rows.add(List.of(line.name(), point.x(), point.y(), point.low(), point.high())));
        }
        return CsvText.of(List.of("line", lines.x().label(), lines.y().label(), "low", "high"), rows);
    }
}
