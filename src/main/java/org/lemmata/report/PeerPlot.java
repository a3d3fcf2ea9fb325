package org.lemmata.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.report.plot.LogAxis;
import org.lemmata.report.plot.NumberText;
import org.lemmata.report.plot.PlotSpec;
import org.lemmata.report.plot.PlotSvg;
import org.lemmata.report.plot.SeriesStyle;

/** Ratios to peers, size by size from top to bottom: dots with the range of forks, by colour and marker. */
final class PeerPlot {

    /** What the values are. */
    enum Axis {
        /** Times as fast; steps are doublings. Right of the line at 1 we are faster. */
        SPEED("times as fast", "×", ". Times as fast as: ", " times "),
        /** Percent; steps are 1, 2, 5 and so on. */
        NOISE("percent above 1", "%", ", percent above 1: ", "% ");

        private final String label;
        private final String unit;
        private final String heading;
        private final String reading;

        Axis(String label, String unit, String heading, String reading) {
            this.label = label;
            this.unit = unit;
            this.heading = heading;
            this.reading = reading;
        }

        private List<Double> breaks(double minimum, double maximum) {
            if (this == SPEED) {
                return IntStream.rangeClosed((int) Math.ceil(log2(minimum)), (int) Math.floor(log2(maximum)))
                        .mapToObj(exponent -> Math.scalb(1.0, exponent))
                        .toList();
            }
            return IntStream.rangeClosed((int) Math.floor(Math.log10(minimum)), (int) Math.floor(Math.log10(maximum)))
                    .boxed()
                    .flatMap(exponent -> Stream.of(1, 2, 5).map(digit -> digit * Math.pow(10, exponent)))
                    .filter(step -> step >= minimum && step <= maximum)
                    .toList();
        }

        private static double log2(double value) {
            return Math.log(value) / Math.log(2);
        }
    }

    private static final int MARK_HEIGHT = 16;
    private static final int SIZE_GAP = 14;
    private static final int AXIS_HEIGHT = 80;

    /** Room left and right of the minimum and the largest end of a range. */
    private static final double MARGIN = 1.1;

    private PeerPlot() {}

    /** The plot as an SVG element of the given width in CSS pixels. */
    static String svg(PeerRatios ratios, Axis axis, int width) {
        List<PeerRatios.Line> lines = axis == Axis.SPEED ? ratios.linesAndMean() : ratios.lines();
        List<String> peers = ratios.peers();
        List<String> sizeKeys = SeriesStyle.keys(lines.size());
        List<String> peerKeys = SeriesStyle.keys(peers.size());
        var size = new ArrayList<String>();
        var peer = new ArrayList<String>();
        var ratio = new ArrayList<Double>();
        var low = new ArrayList<Double>();
        var high = new ArrayList<Double>();
        var reading = new ArrayList<String>();
        var values = new ArrayList<String>();
        for (int i = 0; i < lines.size(); i++) {
            for (int p = 0; p < peers.size(); p++) {
                Speedup speedup = lines.get(i).byPeer().get(peers.get(p));
                if (speedup != null) {
                    size.add(sizeKeys.get(i));
                    peer.add(peerKeys.get(p));
                    ratio.add(speedup.ratio());
                    low.add(speedup.low());
                    high.add(speedup.high());
                    String times = NumberText.ratio(speedup.ratio()) + axis.reading + peers.get(p);
                    reading.add(lines.get(i).size() + " " + times);
                    values.add(lines.get(i).size() + "\n" + times
                            + (axis == Axis.SPEED ? ", " + speedup.rangeText() : ""));
                }
            }
        }
        Map<String, Object> data = PlotSpec.of("size", size, "peer", peer, "ratio", ratio, "low", low, "high", high);
        // Flipped axes run from below.
        Map<String, Object> dodge = PlotSpec.of("name", "dodge", "width", -0.7);
        Map<String, Object> range = PlotSpec.of(
                "geom",
                "linerange",
                "mapping",
                PlotSpec.of("ymin", "low", "ymax", "high"),
                "position",
                dodge,
                "size",
                1.1,
                "tooltips",
                "none");
        Map<String, Object> mark = PlotSpec.of(
                "geom",
                "point",
                "mapping",
                PlotSpec.of("y", "ratio", "shape", "peer"),
                "position",
                dodge,
                "size",
                4.2,
                "tooltips",
                "none");
        Map<String, Object> targets = PlotSpec.with(
                PlotSpec.targets(
                        PlotSpec.of("x", "size", "y", "ratio", "group", "peer"),
                        PlotSpec.of("size", size, "peer", peer, "ratio", ratio),
                        size.size()),
                "position",
                dodge);
        Map<String, Object> equal =
                PlotSpec.of("geom", "hline", "yintercept", 1.0, "color", PlotSvg.INK, "size", 0.9, "tooltips", "none");
        List<SeriesStyle> styles =
                IntStream.range(0, peers.size()).mapToObj(SeriesStyle::of).toList();
        Map<String, Object> specification = PlotSpec.of(
                "kind",
                "plot",
                "data",
                data,
                "mapping",
                PlotSpec.of("x", "size", "color", "peer"),
                "coord",
                PlotSpec.of("name", "flip"),
                "layers",
                axis == Axis.SPEED ? List.of(equal, range, mark, targets) : List.of(mark, targets),
                "scales",
                List.of(
                        PlotSpec.targetScale(),
                        SeriesStyle.scale("color", styles, SeriesStyle::colour),
                        SeriesStyle.scale("shape", styles, SeriesStyle::marker),
                        PlotSpec.of(
                                "aesthetic",
                                "x",
                                "name",
                                "",
                                "discrete",
                                true,
                                "limits",
                                sizeKeys.reversed(),
                                "breaks",
                                sizeKeys,
                                "labels",
                                lines.stream().map(PeerRatios.Line::size).toList()),
                        scale(axis, low, high)),
                "theme",
                PlotSpec.theme());
        int height = AXIS_HEIGHT + lines.size() * (SIZE_GAP + MARK_HEIGHT * peers.size());
        return PlotSvg.draw(
                specification, width, height, ratios.title() + axis.heading + String.join("; ", reading) + ".", values);
    }

    /** Holds all ranges, and of speeds 1 in any case. */
    private static Map<String, Object> scale(Axis axis, List<Double> low, List<Double> high) {
        double one = axis == Axis.SPEED ? 1 : low.getFirst();
        double minimum = Math.min(
                        one, low.stream().mapToDouble(Double::doubleValue).min().orElse(one))
                / MARGIN;
        double maximum = Math.max(
                        one,
                        high.stream().mapToDouble(Double::doubleValue).max().orElse(one))
                * MARGIN;
        return LogAxis.scale(
                "y",
                axis.label,
                minimum,
                maximum,
                axis.breaks(minimum, maximum),
                value -> NumberText.of(value) + axis.unit);
    }
}
