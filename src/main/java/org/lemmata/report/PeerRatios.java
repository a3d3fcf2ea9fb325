package org.lemmata.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.lemmata.track.BenchmarkRow;

/**
 * How many times as fast our kernels are as those of other libraries in one benchmark, size by size: rows that differ
 * in the parameter {@value #LIBRARY} alone, ours being {@value #OURS}. Each number of threads has a comparison of its
 * own.
 *
 * @param title the benchmark, with the number of threads if it is a parameter
 * @param peers the libraries that at least one line compares with, in the order of the results
 * @param lines one a size, in the order of the results
 */
record PeerRatios(String title, List<String> peers, List<Line> lines) {

    private static final String LIBRARY = "library";
    private static final String OURS = "lemmata";
    private static final String THREADS = "threads";
    private static final String RATE = "gigaflops";
    private static final String RATE_UNIT = "GF/s";
    private static final String MEAN = "geometric mean";

    /**
     * One size.
     *
     * @param size the values of the other parameters; "geometric mean" for what sums up all sizes
     * @param ours how fast our row is; NaN where no one number tells it
     * @param unit of {@code ours}
     * @param byPeer the ratios to those peers that were measured at this size
     */
    record Line(String size, double ours, String unit, SequencedMap<String, Speedup> byPeer) {}

    /** What keeps rows apart that are not to be divided. */
    private record Group(String benchmarkClass, String method, String mode, String unit, String threads) {

        static Group of(BenchmarkRow row) {
            return new Group(
                    row.benchmarkClass(),
                    row.method(),
                    row.mode(),
                    row.unit(),
                    row.params().getOrDefault(THREADS, ""));
        }

        String title() {
            String name = benchmarkClass.substring(benchmarkClass.lastIndexOf('.') + 1) + "." + method;
            return threads.isEmpty() ? name : name + ", threads " + threads;
        }
    }

    /** The comparisons that {@code rows} allow, in their order; empty where no peer was measured beside us. */
    static List<PeerRatios> of(List<BenchmarkRow> rows) {
        var groups = new LinkedHashMap<Group, List<BenchmarkRow>>();
        for (BenchmarkRow row : rows) {
            if (row.params().containsKey(LIBRARY)) {
                groups.computeIfAbsent(Group.of(row), group -> new ArrayList<>())
                        .add(row);
            }
        }
        return groups.entrySet().stream()
                .map(entry -> ofGroup(entry.getKey().title(), entry.getValue()))
                .filter(ratios -> !ratios.lines.isEmpty())
                .toList();
    }

    private static PeerRatios ofGroup(String title, List<BenchmarkRow> rows) {
        var lines = new ArrayList<Line>();
        var peers = new LinkedHashSet<String>();
        for (BenchmarkRow ours : rows) {
            if (!library(ours).equals(OURS)) {
                continue;
            }
            var byPeer = new LinkedHashMap<String, Speedup>();
            for (BenchmarkRow peer : rows) {
                if (!library(peer).equals(OURS) && settings(peer).equals(settings(ours))) {
                    Speedup speedup = Speedup.of(peer, ours);
                    if (speedup.ratio() > 0 && Double.isFinite(speedup.ratio())) {
                        byPeer.put(library(peer), speedup);
                    }
                }
            }
            if (!byPeer.isEmpty()) {
                BenchmarkRow.Metric rate = ours.secondary().get(RATE);
                lines.add(
                        rate == null
                                ? new Line(size(ours), ours.score(), ours.unit(), byPeer)
                                : new Line(size(ours), rate.score(), RATE_UNIT, byPeer));
                peers.addAll(byPeer.keySet());
            }
        }
        return new PeerRatios(title, List.copyOf(peers), List.copyOf(lines));
    }

    private static String library(BenchmarkRow row) {
        return row.params().getOrDefault(LIBRARY, "");
    }

    private static Map<String, String> settings(BenchmarkRow row) {
        var settings = new LinkedHashMap<>(row.params());
        settings.remove(LIBRARY);
        settings.remove(THREADS);
        return settings;
    }

    /** One parameter is told by its value, several by name and value. */
    private static String size(BenchmarkRow row) {
        Map<String, String> settings = settings(row);
        return settings.size() == 1
                ? settings.values().iterator().next()
                : settings.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .collect(Collectors.joining(", "));
    }

    /** The geometric means over the sizes at which each peer was measured. */
    Line mean() {
        var byPeer = new LinkedHashMap<String, Speedup>();
        for (String peer : peers) {
            List<Speedup> ratios = lines.stream()
                    .filter(line -> line.byPeer.containsKey(peer))
                    .map(line -> line.byPeer.get(peer))
                    .toList();
            byPeer.put(
                    peer,
                    new Speedup(
                            geometricMean(ratios, Speedup::ratio),
                            geometricMean(ratios, Speedup::low),
                            geometricMean(ratios, Speedup::high),
                            ratios.stream().allMatch(Speedup::forks)));
        }
        return new Line(MEAN, Double.NaN, "", byPeer);
    }

    private static double geometricMean(List<Speedup> ratios, ToDoubleFunction<Speedup> value) {
        return Math.exp(ratios.stream()
                .mapToDouble(ratio -> Math.log(value.applyAsDouble(ratio)))
                .average()
                .orElse(Double.NaN));
    }

    /** All sizes, and below several their mean. */
    List<Line> linesAndMean() {
        var all = new ArrayList<>(lines);
        if (lines.size() > 1) {
            all.add(mean());
        }
        return all;
    }
}
