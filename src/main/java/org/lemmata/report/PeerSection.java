package org.lemmata.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.lemmata.report.plot.DotPlot;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Plot;
import org.lemmata.report.plot.SeriesStyle;
import org.lemmata.track.BenchmarkRow;

/** Our kernels beside those of other libraries, as the page shows them. */
final class PeerSection {

    /**
     * One comparison.
     *
     * @param peers the heads of the columns of ratios
     */
    record Comparison(String title, List<String> peers, List<Row> rows, String svg, List<Plot.Key> legend) {}

    /** A size with one ratio a peer; the last row may be their mean. */
    record Row(String size, String ours, List<Ratio> ratios) {}

    /** How many times as fast, and the range; empty where the peer was not measured. */
    record Ratio(String ratio, String range) {}

    private PeerSection() {}

    static List<Comparison> of(List<BenchmarkRow> rows) {
        return PeerRatios.of(rows).stream().map(PeerSection::comparison).toList();
    }

    private static Comparison comparison(PeerRatios ratios) {
        var rows = new ArrayList<Row>();
        for (PeerRatios.Line line : ratios.linesAndMean()) {
            rows.add(new Row(
                    line.size(),
                    Double.isNaN(line.ours()) ? "" : NumberText.ratio(line.ours()) + " " + line.unit(),
                    ratios.peers().stream().map(peer -> ratio(line, peer)).toList()));
        }
        List<DotPlot.Row> dots =
                ratios.linesAndMean().stream().map(PeerSection::dots).toList();
        List<String> names =
                ratios.peers().stream().map(peer -> "against " + peer).toList();
        return new Comparison(
                ratios.title(),
                ratios.peers(),
                rows,
                DotPlot.svg(ratios.title(), ratios.peers(), dots, DotPlot.Axis.SPEED),
                SeriesStyle.legend(names, false));
    }

    private static DotPlot.Row dots(PeerRatios.Line line) {
        var dots = new HashMap<String, DotPlot.Dot>();
        line.byPeer().forEach((peer, speedup) -> dots.put(peer, dot(speedup)));
        return new DotPlot.Row(line.size(), dots);
    }

    private static DotPlot.Dot dot(Speedup speedup) {
        return new DotPlot.Dot(speedup.ratio(), speedup.low(), speedup.high(), ", " + speedup.rangeText());
    }

    private static Ratio ratio(PeerRatios.Line line, String peer) {
        Speedup speedup = line.byPeer().get(peer);
        return speedup == null
                ? new Ratio("", "")
                : new Ratio(NumberText.ratio(speedup.ratio()) + "×", speedup.rangeText());
    }
}
