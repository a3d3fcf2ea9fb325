package org.lemmata.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.lemmata.report.plot.Lines;
import org.lemmata.report.plot.PlotFile;
import org.lemmata.report.plot.SeriesStyle;

/**
 * Writes the history as an SVG plot: the speed of each run relative to the first run, for the rows that changed most.
 */
public final class TrendPicture {

    private TrendPicture() {}

    /**
     * The plot; a row with a single run is a point.
     *
     * @throws IllegalArgumentException if there are no runs
     */
    public static String of(ReportInput input) {
        List<Map.Entry<String, List<Tracking.Run>>> rows = input.tracking().trends().entrySet().stream()
                .sorted(Comparator.comparingDouble(
                                (Map.Entry<String, List<Tracking.Run>> row) -> -change(row.getValue()))
                        .thenComparing(row -> row.getKey()))
                .limit(SeriesStyle.COUNT)
                .toList();
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("trend: expected benchmarks with runs in the history, got none");
        }
        var lines = new ArrayList<Lines.Line>();
        for (Map.Entry<String, List<Tracking.Run>> row : rows) {
            List<Tracking.Run> runs = row.getValue();
            var points = new ArrayList<Lines.Point>();
            for (int run = 0; run < runs.size(); run++) {
                points.add(Lines.Point.exact(
                        run + 1.0, runs.get(run).speed() / runs.getFirst().speed()));
            }
            // The package is omitted, because the plot has little space.
            lines.add(new Lines.Line(
                    row.getKey().replaceFirst("^[^ ]*\\.(?=[^. ]*\\.[^. ]* )", ""), lines.size(), points));
        }
        return PlotFile.svg(new Lines(
                "Speed, run by run",
                new Lines.Axis("run", Lines.Scale.LINEAR),
                // The minimum range keeps noise of a few percent from looking like a large change.
                new Lines.Axis("times as fast as in the first run", Lines.Scale.LINEAR, 0.9, 1.1),
                lines));
    }

    /** The ratio of the highest to the lowest speed of a row. */
    private static double change(List<Tracking.Run> runs) {
        double[] speeds =
                runs.stream().mapToDouble(Tracking.Run::speed).sorted().toArray();
        return speeds[speeds.length - 1] / speeds[0];
    }
}
