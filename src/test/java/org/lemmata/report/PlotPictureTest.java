package org.lemmata.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lemmata.DocumentPicture;
import org.lemmata.report.plot.LinePlot;
import org.lemmata.report.plot.Lines;
import org.lemmata.report.plot.Plot;
import org.lemmata.report.plot.PlotSpec;
import org.lemmata.report.plot.SeriesStyle;
import org.lemmata.track.JmhResults;

/** The plots under docs, drawn as those of the page, from the records and tables that lie here. */
class PlotPictureTest {

    private static final Path SUITE = Path.of("jmh-results/portable/simd-512.json");

    /** {@code PrecisionTablesTest} compares them with what the code gives. */
    private static final Path TABLES = Path.of("docs/notes/precision-tables.md");

    private static final int PLOT_HEIGHT = 300;

    private static final int LEGEND_LINE = 22;

    /** The cells of the table below a heading, its head and the line below that first. */
    private static List<String[]> rows(String heading) throws IOException {
        List<String> lines = Files.readAllLines(TABLES);
        List<String[]> rows = lines.subList(lines.indexOf(heading), lines.size()).stream()
                .dropWhile(line -> !line.startsWith("|"))
                .takeWhile(line -> line.startsWith("|"))
                .map(line -> line.substring(2).split(" *\\| *"))
                .toList();
        assertThat(rows).hasSizeGreaterThan(3);
        return rows;
    }

    /** A plot with its legend below. */
    private static void compare(String name, String label, String plot, List<Plot.Key> legend) throws IOException {
        var drawn = new StringBuilder(
                plot.replaceFirst("<svg ", "<svg width=\"" + PlotSpec.WIDE + "\" height=\"" + PLOT_HEIGHT + "\" "));
        int x = 0;
        int y = PLOT_HEIGHT + 8;
        for (Plot.Key key : legend) {
            int width = 60 + 7 * key.name().length();
            if (x + width > PlotSpec.WIDE) {
                x = 0;
                y += LEGEND_LINE;
            }
            drawn.append('\n')
                    .append(key.svg()
                            .replace("<svg ", "<svg x=\"%d\" y=\"%d\" width=\"34\" height=\"14\" ".formatted(x, y)))
                    .append("<text x=\"%d\" y=\"%d\">%s</text>".formatted(x + 40, y + 12, key.name()));
            x += width;
        }
        DocumentPicture.compare(name, PlotSpec.WIDE, y + LEGEND_LINE, label, drawn.toString());
    }

    private static void compare(String name, String label, Lines lines) throws IOException {
        List<String> names = lines.lines().stream().map(Lines.Line::name).toList();
        compare(name, label, LinePlot.svg(lines, PlotSpec.WIDE), SeriesStyle.legend(names, true));
    }

    @Test
    void theRoofline() throws IOException {
        Plot.Group group = Roofline.of(JmhResults.read(SUITE)).group().orElseThrow();
        compare(
                "roofline",
                "Kernels of the recorded suite below the roof of its machine, by FLOPs a byte",
                group.plots().getFirst().wideSvg(),
                group.legend());
    }

    @Test
    void howLongAttentionKeepsItsArgmax() throws IOException {
        List<String[]> rows = rows("### By significand bits");
        var lines = new ArrayList<Lines.Line>();
        for (int column : new int[] {1, 2}) {
            for (boolean law : new boolean[] {false, true}) {
                lines.add(new Lines.Line(
                        rows.getFirst()[column] + (law ? ", by the law" : ", median"),
                        lines.size(),
                        rows.stream()
                                .skip(2)
                                .map(row -> new Object[] {row[0], row[column].split(" / ")[law ? 1 : 0]})
                                .filter(cell -> !cell[1].toString().startsWith("≥"))
                                .map(cell -> Lines.Point.exact(
                                        Double.parseDouble(cell[0].toString()), Double.parseDouble(cell[1].toString())))
                                .toList()));
            }
        }
        compare(
                "argmax-by-bits",
                "The maximum length at which attention keeps its argmax doubles with each significand bit",
                new Lines(
                        "How long attention keeps its argmax",
                        "",
                        new Lines.Axis("significand bits", Lines.Scale.LINEAR),
                        new Lines.Axis("maximum length", Lines.Scale.LOG2),
                        lines));
    }

    @Test
    void theErrorByFormat() throws IOException {
        List<String[]> rows = rows("### Sums of weights");
        double[] lengths = {64, 256, 1024, 4096};
        List<Lines.Line> lines = IntStream.range(0, rows.size() - 2)
                .mapToObj(i -> {
                    String[] row = rows.get(i + 2);
                    return new Lines.Line(
                            row[0],
                            i,
                            IntStream.range(0, lengths.length)
                                    .mapToObj(at ->
                                            Lines.Point.exact(lengths[at], Math.abs(Double.parseDouble(row[at + 1]))))
                                    .toList());
                })
                .toList();
        compare(
                "error-by-format",
                "The error of a sum of softmax weights, by format and number of keys",
                new Lines(
                        "Sums of weights",
                        "",
                        new Lines.Axis("keys", Lines.Scale.LOG2),
                        new Lines.Axis("error, percent", Lines.Scale.LOG10),
                        lines));
    }
}
