package org.lemmata.report;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.lemmata.report.plot.NumberText;
import org.lemmata.track.BenchmarkRow;

/** The ratios to peers as tables for a terminal, in ASCII. */
public final class PeerText {

    private PeerText() {}

    /** One table a benchmark and number of threads; empty where no peer was measured beside us. */
    public static String of(List<BenchmarkRow> rows) {
        var text = new StringBuilder();
        for (PeerRatios ratios : PeerRatios.of(rows)) {
            if (text.isEmpty()) {
                text.append("How many times as fast as (minimum to maximum of any two forks):\n");
            }
            text.append('\n').append(line(ratios.title(), "ours", ratios.peers()));
            for (PeerRatios.Line line : ratios.linesAndMean()) {
                String ours = Double.isNaN(line.ours()) ? "" : digits(line.ours()) + " " + line.unit();
                text.append(line(
                        "  " + line.size(),
                        ours,
                        ratios.peers().stream()
                                .map(peer -> ratio(line.byPeer().get(peer)))
                                .toList()));
            }
        }
        return text.toString();
    }

    private static String line(String name, String ours, List<String> ratios) {
        var line = new StringBuilder(String.format(Locale.ROOT, "%-46s %14s", name, ours));
        ratios.forEach(ratio -> line.append(String.format(Locale.ROOT, "  %-22s", ratio)));
        return line.toString().stripTrailing() + "\n";
    }

    private static String digits(double value) {
        return Double.isFinite(value) ? NumberText.digits(value, 3) : Double.toString(value);
    }

    private static String ratio(@Nullable Speedup speedup) {
        if (speedup == null) {
            return "-";
        }
        return digits(speedup.ratio())
                + (speedup.forks()
                        ? " (" + digits(speedup.low()) + " to " + digits(speedup.high()) + ")"
                        : " (one fork)");
    }
}
