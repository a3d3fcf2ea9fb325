package org.lemmata.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.lemmata.report.plot.LogAxis;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.PlotSpec;
import org.lemmata.report.plot.PlotSvg;
import org.lemmata.report.plot.SeriesStyle;

/** GF/s against FLOPs a byte, both logarithmic, with the roof above; an operation has a colour and a marker. */
final class RooflinePlot {

    private static final int PANEL_HEIGHT = 300;

    /** Beyond the outermost lines of the grid, in decades: their labels want room. */
    private static final double MARGIN = 0.2;

    /** What the axes span, in whole decades. */
    record Frame(int left, int right, int bottom, int top) {

        /** The smallest frame with all points and with both parts of each roof. */
        static Frame around(Collection<Roofline.Roof> roofs, List<Roofline.Point> points) {
            double[] intensities = DoubleStream.concat(
                            roofs.stream().mapToDouble(Roofline.Roof::ridge),
                            points.stream().mapToDouble(Roofline.Point::intensity))
                    .toArray();
            int left = floor(DoubleStream.of(intensities).min().orElse(1) / 1.2);
            double[] heights = DoubleStream.concat(
                            roofs.stream().flatMapToDouble(roof -> DoubleStream.of(roof.peak(), roof.at(pow(left)))),
                            points.stream().mapToDouble(Roofline.Point::gigaflops))
                    .toArray();
            return new Frame(
                    left,
                    floor(DoubleStream.of(intensities).max().orElse(1) * 1.2) + 1,
                    floor(DoubleStream.of(heights).min().orElse(1)),
                    floor(DoubleStream.of(heights).max().orElse(1)) + 1);
        }
    }

    private RooflinePlot() {}

    /**
     * The plot as an SVG element.
     *
     * @param names of all operations that have a colour and a marker, which pictures side by side share
     */
    static String svg(String title, Roofline.Roof roof, List<Roofline.Point> points, List<String> names, Frame frame) {
        List<String> shown = names.stream()
                .filter(operation ->
                        points.stream().anyMatch(point -> point.operation().equals(operation)))
                .toList();
        Map<String, Object> places = PlotSpec.of("x", "x", "y", "y");
        Map<String, Object> bound = PlotSpec.of(
                "x", List.of(pow(frame.left), roof.ridge(), pow(frame.right)),
                "y", List.of(roof.at(pow(frame.left)), roof.peak(), roof.peak()));
        Map<String, Object> line = PlotSpec.layer("path", places, "data", bound, "color", PlotSvg.INK, "size", 1.1);
        Map<String, Object> data = PlotSpec.of(
                "x",
                points.stream().map(Roofline.Point::intensity).toList(),
                "y",
                points.stream().map(Roofline.Point::gigaflops).toList(),
                "operation",
                points.stream()
                        .map(point -> Integer.toString(names.indexOf(point.operation())))
                        .toList());
        Map<String, Object> mapping = PlotSpec.with(places, "color", "operation", "shape", "operation");
        Map<String, Object> marks = PlotSpec.layer("point", mapping, "data", data, "size", 4.0);
        Map<String, Object> targets = PlotSpec.targets(places, data, points.size());
        var scales = new ArrayList<>(SeriesStyle.coloursAndMarkers(names.size()));
        scales.add(axis("x", "FLOPs a byte", frame.left, frame.right));
        scales.add(axis("y", "GF/s", frame.bottom, frame.top));
        return PlotSvg.draw(
                PlotSpec.plot(List.of(line, marks, targets), scales),
                PANEL_HEIGHT,
                "Roofline, " + title + "; rows below it: " + points.size() + ", of " + String.join(", ", shown) + ".",
                points.stream().map(point -> reading(point, roof)).toList());
    }

    private static String reading(Roofline.Point point, Roofline.Roof roof) {
        return point.operation() + " " + point.name() + "\n" + NumberText.ratio(point.gigaflops()) + " GF/s, "
                + Roofline.percent(point.gigaflops() / roof.at(point.intensity())) + " of the roof\n"
                + NumberText.ratio(point.intensity()) + " FLOPs a byte";
    }

    private static Map<String, Object> axis(String aesthetic, String label, int first, int last) {
        List<Double> breaks =
                IntStream.rangeClosed(first, last).mapToObj(RooflinePlot::pow).toList();
        return LogAxis.scale(
                aesthetic, label, Math.pow(10, first - MARGIN), Math.pow(10, last + MARGIN), breaks, NumberText::of);
    }

    private static double pow(int exponent) {
        return Math.pow(10, exponent);
    }

    private static int floor(double value) {
        return (int) Math.floor(Math.log10(value));
    }
}
