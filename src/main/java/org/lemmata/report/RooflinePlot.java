package org.lemmata.report;

import java.util.Collection;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.Panel;
import org.lemmata.report.plot.PlotAxis;
import org.lemmata.report.plot.SeriesStyle;

/**
 * Plots GF/s against FLOPs per byte and the roof, with logarithmic axes. Each operation has its own pair of colour and
 * marker.
 */
final class RooflinePlot {

    private static final int PANEL_HEIGHT = 300;

    /** The space for labels beyond the outermost grid lines, in decades. */
    private static final double MARGIN = 0.2;

    record Frame(int left, int right, int bottom, int top) {

        /** A frame of whole decades that contains all points and both parts (slope and ceiling) of each roof. */
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
     * @param names the names of all operations; an operation has the same colour and marker in all plots side by side
     */
    static String svg(String title, Roofline.Roof roof, List<Roofline.Point> points, List<String> names, Frame frame) {
        List<String> shown = names.stream()
                .filter(operation ->
                        points.stream().anyMatch(point -> point.operation().equals(operation)))
                .toList();
        var panel = new Panel(
                axis("FLOPs per byte", frame.left, frame.right), axis("GF/s", frame.bottom, frame.top), PANEL_HEIGHT);
        panel.path(
                "--ink-soft",
                2.4,
                "M" + place(panel, pow(frame.left), roof.at(pow(frame.left))) + "L"
                        + place(panel, roof.ridge(), roof.peak()) + "L"
                        + place(panel, pow(frame.right), roof.peak()));
        for (Roofline.Point point : points) {
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

    private static String reading(Roofline.Point point, Roofline.Roof roof) {
        return point.operation() + " " + point.name() + "\n" + NumberText.ratio(point.gigaflops()) + " GF/s, "
                + Roofline.percent(point.gigaflops() / roof.at(point.intensity())) + " of the roof\n"
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
