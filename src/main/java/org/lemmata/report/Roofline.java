package org.lemmata.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Panel;
import org.lemmata.report.plot.Plot;
import org.lemmata.report.plot.PlotAxis;
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

    private static final int PANEL_HEIGHT = 300;

    /** The space for labels beyond the outermost grid lines, in decades. */
    private static final double MARGIN = 0.2;

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

        double share(Point point) {
            return point.gigaflops / at(point.intensity);
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

    record Frame(int left, int right, int bottom, int top) {

        /** A frame of whole decades that contains all points and both parts (slope and ceiling) of each roof. */
        static Frame around(Collection<Roof> roofs, List<Point> points) {
            double[] intensities = DoubleStream.concat(
                            roofs.stream().mapToDouble(Roof::ridge),
                            points.stream().mapToDouble(Point::intensity))
                    .toArray();
            int left = floor(DoubleStream.of(intensities).min().orElse(1) / 1.2);
            double[] heights = DoubleStream.concat(
                            roofs.stream().flatMapToDouble(roof -> DoubleStream.of(roof.peak(), roof.at(pow(left)))),
                            points.stream().mapToDouble(Point::gigaflops))
                    .toArray();
            return new Frame(
                    left,
                    floor(DoubleStream.of(intensities).max().orElse(1) * 1.2) + 1,
                    floor(DoubleStream.of(heights).min().orElse(1)),
                    floor(DoubleStream.of(heights).max().orElse(1)) + 1);
        }
    }

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
    Optional<Double> share(BenchmarkRow row) {
        return Optional.ofNullable(roofs.get(row.threads()))
                .flatMap(roof -> point(row).map(roof::share));
    }

    /** Plots side by side, one per number of threads; empty if no SIMD row has a roof. */
    Optional<Plot.Group> group() {
        var below = new LinkedHashMap<>(roofs);
        below.keySet().removeIf(threads -> points(threads).isEmpty());
        if (below.isEmpty()) {
            return Optional.empty();
        }
        List<Point> all = below.keySet().stream()
                .flatMap(threads -> points(threads).stream())
                .toList();
        List<String> operations = all.stream().map(Point::operation).distinct().toList();
        // Plots side by side have equal axes.
        var frame = Frame.around(below.values(), all);
        var plots = new ArrayList<Plot>();
        var table = new ArrayList<List<String>>();
        below.forEach((threads, roof) -> {
            List<Point> points = points(threads);
            String title = (threads.equals("1") ? "1 thread: " : threads + " threads: ")
                    + NumberText.ratio(roof.bandwidth) + " GB/s, " + NumberText.ratio(roof.peak) + " GF/s";
            plots.add(Plot.ofGroup(title, svg(title, roof, points, operations, frame)));
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

    private List<Point> points(String threads) {
        return rows.stream()
                .filter(row ->
                        row.method().startsWith("vector") && row.threads().equals(threads))
                .flatMap(row -> point(row).stream())
                .toList();
    }

    private static List<String> cells(String threads, Roof roof, Point point) {
        return List.of(
                point.operation + " " + point.name,
                threads,
                NumberText.ratio(point.intensity),
                NumberText.ratio(point.gigaflops),
                NumberText.ratio(roof.at(point.intensity)),
                percent(roof.share(point)));
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

    /**
     * The plot as an SVG element.
     *
     * @param names the names of all operations; an operation has the same colour and marker in all plots side by side
     */
    static String svg(String title, Roof roof, List<Point> points, List<String> names, Frame frame) {
        var shown = new ArrayList<>(names);
        shown.retainAll(points.stream().map(Point::operation).toList());
        var panel = new Panel(
                axis("FLOPs per byte", frame.left, frame.right), axis("GF/s", frame.bottom, frame.top), PANEL_HEIGHT);
        panel.path(
                "--ink-soft",
                2.4,
                "M" + place(panel, pow(frame.left), roof.at(pow(frame.left))) + "L"
                        + place(panel, roof.ridge(), roof.peak()) + "L"
                        + place(panel, pow(frame.right), roof.peak()));
        for (Point point : points) {
            double x = panel.x(point.intensity());
            double y = panel.y(point.gigaflops());
            SeriesStyle style = SeriesStyle.of(names.indexOf(point.operation()));
            panel.add(style.marks(style.mark(x, y)));
            panel.target(x, y, reading(point, roof));
        }
        return panel.svg(
                "Roofline, " + title + "; rows below it: " + points.size() + ", of " + String.join(", ", shown) + ".");
    }

    private static String place(Panel panel, double x, double y) {
        return Panel.place(panel.x(x), panel.y(y));
    }

    private static String reading(Point point, Roof roof) {
        return point.operation() + " " + point.name() + "\n" + NumberText.ratio(point.gigaflops()) + " GF/s, "
                + percent(roof.share(point)) + " of the roof\n"
                + NumberText.ratio(point.intensity()) + " FLOPs per byte";
    }

    private static PlotAxis axis(String label, int first, int last) {
        List<PlotAxis.Tick> ticks = IntStream.rangeClosed(first, last)
                .mapToObj(exponent -> new PlotAxis.Tick(pow(exponent), NumberText.of(pow(exponent))))
                .toList();
        return PlotAxis.logarithmic(label, Math.pow(10, first - MARGIN), Math.pow(10, last + MARGIN), ticks);
    }

    private static double pow(int exponent) {
        return Math.pow(10, exponent);
    }

    private static int floor(double value) {
        return (int) Math.floor(Math.log10(value));
    }
}
