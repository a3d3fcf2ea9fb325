package org.lemmata.report.plot;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.CsvText;

/**
 * A plot as a separate SVG file with title, legend, colours and fonts; converters to PDF can read it. The colours come
 * from the page's light theme.
 */
public final class PlotFile {

    private static final int LINE = 22;

    private static final int LONGEST = 48;

    private static final String INK = "#1b1d1f";
    private static final String SOFT_INK = "#474747";

    /** The discs that receive the pointer; a file does not need them. */
    private static final Pattern TARGETS = Pattern.compile("(?s)<g class=\"targets\">.*?</g>");

    private static final Pattern VARIABLE = Pattern.compile("var\\(--series-(\\d)\\)");

    private PlotFile() {}

    /** Writes a plot as SVG, and its points as CSV, into files with the same name. */
    public static void write(Path directory, String name, Lines lines) throws IOException {
        AtomicFile.write(directory.resolve(name + ".svg"), svg(lines));
        AtomicFile.write(directory.resolve(name + ".csv"), csv(lines));
    }

    public static String svg(Lines lines) {
        var drawn = new StringBuilder();
        int y = 0;
        for (String line : wrapped(lines.title(), LONGEST)) {
            y += LINE;
            drawn.append(Panel.text(10, y - 6, "start", line).replace("<text", "<text fill=\"" + INK + "\""));
        }
        drawn.append(placed(TARGETS.matcher(LinePlot.svg(lines)).replaceAll(""), 0, y, Panel.WIDTH, LinePlot.HEIGHT));
        y += LinePlot.HEIGHT + LINE / 2;
        for (Plot.Key key : lines.legend()) {
            drawn.append('\n').append(placed(key.svg(), 10, y, 34, 14));
            for (String line : wrapped(key.name(), LONGEST - 8)) {
                drawn.append(Panel.text(52, y + 12, "start", line));
                y += LINE - 4;
            }
        }
        return VARIABLE.matcher(String.format(Locale.ROOT, """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%1$d" height="%2$d">
            <style>text { font: 13px sans-serif; fill: %s }</style>
            <rect width="100%%" height="100%%" fill="#ffffff"/>
            """, Panel.WIDTH, y, SOFT_INK) + drawn)
                        .replaceAll(series -> SeriesStyle.COLOURS.get(Integer.parseInt(series.group(1)) - 1))
                        .replace("var(--ink-soft)", SOFT_INK)
                        .replace("var(--grid)", "#e9e9e9")
                + "\n</svg>\n";
    }

    private static String csv(Lines lines) {
        var rows = new ArrayList<List<Object>>();
        for (Lines.Line line : lines.lines()) {
            line.points()
                    .forEach(point -> rows.add(List.of(line.name(), point.x(), point.y(), point.low(), point.high())));
        }
        return CsvText.of(List.of("line", lines.x().label(), lines.y().label(), "low", "high"), rows);
    }

    private static List<String> wrapped(String text, int width) {
        return text.replaceAll("(.{1," + width + "})(?: |$)", "$1\n").lines().toList();
    }

    private static String placed(String svg, int x, int y, int width, int height) {
        return svg.replaceFirst(
                "<svg ", "<svg x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" ".formatted(x, y, width, height));
    }
}
