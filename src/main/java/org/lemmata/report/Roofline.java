package org.lemmata.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Plot;
import org.lemmata.report.plot.SeriesStyle;
import org.lemmata.track.BenchmarkRow;

/**
 * min(peak, intensity x bandwidth): the machine's maximum speed for work with an intensity in FLOPs per byte.
 *
 * <p>Peak and bandwidth of the machine are measured in the same run. Kernels are the rows that count both
 * {@value #FLOPS} and {@value #BYTES}. The bound assumes that bytes come from memory, so a row whose arrays fit in a
 * cache may exceed it.
 *
 * <p>Source: Williams, Waterman and Patterson (2009), Roofline: an insightful visual performance model.
 */
final class Roofline {

    private static final String MACHINE = "MachineBenchmark";
    private static final String PEAK = "fma";
    private static final String BANDWIDTH = "triad";
    private static final String FLOPS = "gigaflops";
    private static final String BYTES = "gigabytes";
    private static final List<String> COLUMNS =
            List.of("kernel", "threads", "FLOPs per byte", "GF/s", "roof, GF/s", "share of roof");

    /**
     * The bounds for a number of threads.
     *
     * @param peak the maximum speed in GF/s
     * @param bandwidth the memory bandwidth in GB/s
     */
    record Roof(double peak, double bandwidth) {

        double at(double intensity) {
            return Math.min(peak, intensity * bandwidth);
        }

        /** The intensity above which memory does not limit the speed. */
        double ridge() {
            return peak / bandwidth;
        }
    }

    /**
     * A row as a point of the plot.
     *
     * @param name method and sizes
     * @param intensity FLOPs per byte
     * @param gigaflops GF/s
     */
    record Point(String name, String operation, double intensity, double gigaflops) {}

    private final List<BenchmarkRow> rows;
    private final SequencedMap<String, Roof> roofs = new LinkedHashMap<>();

    /** The roofline of benchmark rows; without measured peak and bandwidth, it has no roof. */
    Roofline(List<BenchmarkRow> rows) {
        this.rows = rows;
        List<BenchmarkRow> machine =
                rows.stream().filter(row -> row.simpleClass().equals(MACHINE)).toList();
        rows.stream().map(BenchmarkRow::threads).distinct().forEach(threads -> {
            OptionalDouble peak = best(machine, PEAK, FLOPS, threads);
            OptionalDouble bandwidth = best(machine, BANDWIDTH, BYTES, threads);
            if (peak.isPresent() && bandwidth.isPresent()) {
                roofs.put(threads, new Roof(peak.getAsDouble(), bandwidth.getAsDouble()));
            }
        });
    }

    /**
     * The row's GF/s divided by the roof at its intensity; empty if the row does not count its work, or there is no
     * roof.
     */
    OptionalDouble share(BenchmarkRow row) {
        Roof roof = roofs.get(row.threads());
        if (roof == null) {
            return OptionalDouble.empty();
        }
        return point(row)
                .map(point -> OptionalDouble.of(point.gigaflops / roof.at(point.intensity)))
                .orElseGet(OptionalDouble::empty);
    }

    /** Plots side by side, one per number of threads; empty if no SIMD row has a roof. */
    Optional<Plot.Group> group() {
        Map<String, List<Point>> below = roofs.keySet().stream()
                .filter(threads -> !points(threads).isEmpty())
                .collect(Collectors.toMap(threads -> threads, this::points, (one, other) -> one, LinkedHashMap::new));
        if (below.isEmpty()) {
            return Optional.empty();
        }
        List<String> operations = below.values().stream()
                .flatMap(List::stream)
                .map(Point::operation)
                .distinct()
                .toList();
        // Plots side by side have equal axes.
        var frame = RooflinePlot.Frame.around(
                below.keySet().stream().map(this::roof).toList(),
                below.values().stream().flatMap(List::stream).toList());
        var plots = new ArrayList<Plot>();
        var table = new ArrayList<List<String>>();
        below.forEach((threads, points) -> {
            Roof roof = roof(threads);
            String title = (threads.equals("1") ? "1 thread: " : threads + " threads: ")
                    + NumberText.ratio(roof.bandwidth) + " GB/s, " + NumberText.ratio(roof.peak) + " GF/s";
            plots.add(Plot.ofGroup(title, RooflinePlot.svg(title, roof, points, operations, frame)));
            points.forEach(point -> table.add(cells(threads, roof, point)));
        });
        return Optional.of(new Plot.Group(
                "Kernels below the machine's roof",
                "Measured in the same run: the slope is the memory bandwidth, the flat part is the peak of fused"
                        + " multiply-adds. Kernels whose data stay in a cache can exceed the slope.",
                plots,
                SeriesStyle.legend(operations, false),
                new Plot.Table(COLUMNS, table)));
    }

    private Roof roof(String threads) {
        return Objects.requireNonNull(roofs.get(threads));
    }

    private List<Point> points(String threads) {
        return rows.stream()
                .filter(row ->
                        row.method().startsWith("vector") && row.threads().equals(threads))
                .flatMap(row -> point(row).stream())
                .toList();
    }

    private static List<String> cells(String threads, Roof roof, Point point) {
        double bound = roof.at(point.intensity);
        double share = point.gigaflops / bound;
        return List.of(
                point.operation + " " + point.name,
                threads,
                NumberText.ratio(point.intensity),
                NumberText.ratio(point.gigaflops),
                NumberText.ratio(bound),
                percent(share));
    }

    static String percent(double share) {
        return NumberText.ratio(100 * share) + "%";
    }

    private static Optional<Point> point(BenchmarkRow row) {
        if (row.simpleClass().equals(MACHINE)) {
            return Optional.empty();
        }
        String sizes = row.params().entrySet().stream()
                .filter(entry -> !entry.getKey().equals(BenchmarkRow.THREADS))
                .map(entry -> ", " + entry.getValue())
                .collect(Collectors.joining());
        return row.rate(FLOPS)
                .flatMap(flops -> row.rate(BYTES)
                        .map(bytes -> new Point(
                                row.method() + sizes,
                                row.simpleClass().replaceFirst("Benchmark$", ""),
                                flops.score() / bytes.score(),
                                flops.score())));
    }

    /** The maximum over scores and iterations, because disturbances can only lower a measured peak. */
    private static OptionalDouble best(List<BenchmarkRow> rows, String method, String counter, String threads) {
        return rows.stream()
                .filter(row -> row.method().equals(method) && row.threads().equals(threads))
                .flatMap(row -> row.rate(counter).stream())
                .flatMapToDouble(metric -> DoubleStream.concat(
                        DoubleStream.of(metric.score()),
                        metric.samples().stream().mapToDouble(Double::doubleValue)))
                .max();
    }
}
