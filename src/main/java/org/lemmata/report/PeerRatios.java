package org.lemmata.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lemmata.report.plot.DotPlot;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Plot;
import org.lemmata.report.plot.SeriesStyle;
import org.lemmata.track.BenchmarkRow;

/**
 * The speed of our kernels relative to other libraries in one benchmark, for each size. Rows are compared if they
 * differ only in the parameter {@value #LIBRARY}, which is {@value #OURS} for our kernels. There is a separate
 * comparison for each number of threads.
 *
 * @param title the benchmark, with the number of threads if it is a parameter
 * @param peers the libraries in at least one line, in the order of the results
 * @param lines one per size, in the order of the results
 */
public record PeerRatios(String title, List<String> peers, List<Line> lines) {

    private static final String LIBRARY = "library";
    private static final String OURS = "lemmata";
    private static final String RATE = "gigaflops";

    /**
     * The ratios at one size.
     *
     * @param size the values of the other parameters; "geometric mean" for the mean over all sizes
     * @param ours the speed of our row; NaN for the mean
     * @param unit the unit of {@code ours}
     * @param byPeer the ratios to the peers that were measured at this size
     */
    record Line(String size, double ours, String unit, SequencedMap<String, Speedup> byPeer) {}

    /**
     * The speed of one benchmark relative to another, with the minimum and maximum ratio over pairs of their forks.
     *
     * @param ratio above 1 if our benchmark is faster, in any mode
     * @param low the minimum ratio over pairs of forks; {@code ratio} if either has one fork
     * @param high the maximum ratio
     * @param forks whether both have several forks, which give a range
     */
    record Speedup(double ratio, double low, double high, boolean forks) {

        /** Stands for a peer that was not measured. */
        private static final Speedup NONE = new Speedup(Double.NaN, Double.NaN, Double.NaN, false);

        static Speedup of(BenchmarkRow slow, BenchmarkRow fast) {
            BenchmarkRow over = fast.higherIsFaster() ? fast : slow;
            BenchmarkRow under = fast.higherIsFaster() ? slow : fast;
            double ratio = over.score() / under.score();
            if (slow.forkMeans().size() < 2 || fast.forkMeans().size() < 2) {
                return new Speedup(ratio, ratio, ratio, false);
            }
            return new Speedup(
                    ratio,
                    Collections.min(over.forkMeans()) / Collections.max(under.forkMeans()),
                    Collections.max(over.forkMeans()) / Collections.min(under.forkMeans()),
                    true);
        }

        /** The ratio as text; empty if it is NaN. */
        String text() {
            return Double.isNaN(ratio) ? "" : NumberText.ratio(ratio) + "×";
        }

        String rangeText() {
            return forks ? NumberText.ratio(low) + "–" + NumberText.ratio(high) : "one fork";
        }

        private String ascii() {
            return digits(ratio) + (forks ? " (" + digits(low) + " to " + digits(high) + ")" : " (one fork)");
        }
    }

    /** A table row for one size, with one ratio per peer; the last row may be the mean. */
    record Row(String size, String ours, List<Speedup> ratios) {}

    /** The comparisons of {@code rows}, in their order; empty if no peer was measured together with our kernel. */
    static List<PeerRatios> of(List<BenchmarkRow> rows) {
        Map<List<String>, List<BenchmarkRow>> groups = rows.stream()
                .filter(row -> row.params().containsKey(LIBRARY))
                .collect(Collectors.groupingBy(
                        row -> List.of(row.benchmark(), row.mode(), row.unit(), threads(row)),
                        LinkedHashMap::new,
                        Collectors.toList()));
        return groups.values().stream()
                .map(PeerRatios::ofGroup)
                .filter(ratios -> !ratios.lines.isEmpty())
                .toList();
    }

    private static PeerRatios ofGroup(List<BenchmarkRow> rows) {
        var lines = new ArrayList<Line>();
        var peers = new LinkedHashSet<String>();
        for (BenchmarkRow ours : rows) {
            if (!library(ours).equals(OURS)) {
                continue;
            }
            var byPeer = new LinkedHashMap<String, Speedup>();
            for (BenchmarkRow peer : rows) {
                Speedup speedup = Speedup.of(peer, ours);
                if (!library(peer).equals(OURS)
                        && settings(peer).equals(settings(ours))
                        && speedup.ratio > 0
                        && Double.isFinite(speedup.ratio)) {
                    byPeer.put(library(peer), speedup);
                }
            }
            if (!byPeer.isEmpty()) {
                lines.add(ours.rate(RATE)
                        .map(rate -> new Line(size(ours), rate.score(), "GF/s", byPeer))
                        .orElseGet(() -> new Line(size(ours), ours.score(), ours.unit(), byPeer)));
                peers.addAll(byPeer.keySet());
            }
        }
        BenchmarkRow first = rows.getFirst();
        String threads = threads(first).isEmpty() ? "" : ", threads " + threads(first);
        return new PeerRatios(
                first.simpleClass() + "." + first.method() + threads, List.copyOf(peers), List.copyOf(lines));
    }

    private static String threads(BenchmarkRow row) {
        return row.params().getOrDefault(BenchmarkRow.THREADS, "");
    }

    private static String library(BenchmarkRow row) {
        return row.params().getOrDefault(LIBRARY, "");
    }

    private static Map<String, String> settings(BenchmarkRow row) {
        var settings = new LinkedHashMap<>(row.params());
        settings.remove(LIBRARY);
        settings.remove(BenchmarkRow.THREADS);
        return settings;
    }

    /** The size as text: the value of a single parameter, or names and values of several. */
    private static String size(BenchmarkRow row) {
        Map<String, String> settings = settings(row);
        return settings.size() == 1
                ? settings.values().iterator().next()
                : settings.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .collect(Collectors.joining(", "));
    }

    private Line mean() {
        var byPeer = new LinkedHashMap<String, Speedup>();
        for (String peer : peers) {
            List<Speedup> ratios = lines.stream()
                    .flatMap(line -> Stream.ofNullable(line.byPeer.get(peer)))
                    .toList();
            byPeer.put(
                    peer,
                    new Speedup(
                            geometricMean(ratios, Speedup::ratio),
                            geometricMean(ratios, Speedup::low),
                            geometricMean(ratios, Speedup::high),
                            ratios.stream().allMatch(Speedup::forks)));
        }
        return new Line("geometric mean", Double.NaN, "", byPeer);
    }

    private static double geometricMean(List<Speedup> ratios, ToDoubleFunction<Speedup> value) {
        return Math.exp(ratios.stream()
                .mapToDouble(ratio -> Math.log(value.applyAsDouble(ratio)))
                .average()
                .orElse(Double.NaN));
    }

    List<Line> linesAndMean() {
        return lines.size() > 1
                ? Stream.concat(lines.stream(), Stream.of(mean())).toList()
                : lines;
    }

    List<Row> rows() {
        return linesAndMean().stream()
                .map(line -> new Row(
                        line.size,
                        Double.isNaN(line.ours) ? "" : NumberText.ratio(line.ours) + " " + line.unit,
                        peers.stream()
                                .map(peer -> line.byPeer.getOrDefault(peer, Speedup.NONE))
                                .toList()))
                .toList();
    }

    String svg() {
        List<DotPlot.Row> dots = linesAndMean().stream()
                .map(line -> new DotPlot.Row(
                        line.size,
                        line.byPeer.entrySet().stream()
                                .collect(Collectors.toMap(Map.Entry::getKey, peer -> dot(peer.getValue())))))
                .toList();
        return DotPlot.svg(title, peers, dots, DotPlot.Axis.SPEED);
    }

    private static DotPlot.Dot dot(Speedup speedup) {
        return new DotPlot.Dot(speedup.ratio, speedup.low, speedup.high, ", " + speedup.rangeText());
    }

    List<Plot.Key> legend() {
        return SeriesStyle.legend(peers.stream().map(peer -> "against " + peer).toList(), false);
    }

    /** The ratios as ASCII tables for a terminal, one per comparison; empty if there are none. */
    public static String text(List<BenchmarkRow> rows) {
        var text = new StringBuilder();
        for (PeerRatios ratios : of(rows)) {
            if (text.isEmpty()) {
                text.append("How many times as fast as (minimum to maximum of any two forks):\n");
            }
            text.append('\n').append(line(ratios.title, "ours", ratios.peers.stream()));
            for (Line line : ratios.linesAndMean()) {
                text.append(line(
                        "  " + line.size,
                        Double.isNaN(line.ours) ? "" : digits(line.ours) + " " + line.unit,
                        ratios.peers.stream().map(line.byPeer::get).map(found -> found == null ? "-" : found.ascii())));
            }
        }
        return text.toString();
    }

    private static String line(String name, String ours, Stream<String> ratios) {
        return (String.format(Locale.ROOT, "%-46s %14s", name, ours)
                                + ratios.map(ratio -> String.format(Locale.ROOT, "  %-22s", ratio))
                                        .collect(Collectors.joining()))
                        .stripTrailing()
                + "\n";
    }

    private static String digits(double value) {
        return Double.isFinite(value) ? NumberText.digits(value, 3) : Double.toString(value);
    }
}
