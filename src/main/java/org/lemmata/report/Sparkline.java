package org.lemmata.report;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A row's history as a line as high as a word: the runs from left to right, greater is faster. */
final class Sparkline {

    private static final int WIDTH = 120;
    private static final int HEIGHT = 28;
    private static final int MARGIN = 3;

    private Sparkline() {}

    /** An SVG element; empty for fewer than two runs, which are no history. */
    static String svg(Tracking.Trend trend) {
        double[] speeds = trend.runs().stream().mapToDouble(Tracking.Run::speed).toArray();
        if (speeds.length < 2 || !allPositive(speeds)) {
            return "";
        }
        String points = IntStream.range(0, speeds.length)
                .mapToObj(i -> at(x(i, speeds.length)) + "," + at(y(speeds[i], speeds)))
                .collect(Collectors.joining(" "));
        String label = speeds.length + " runs";
        var svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg class=\"spark\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\"><title>%s</title>",
                WIDTH,
                HEIGHT,
                label,
                label));
        svg.append("<polyline points=\"").append(points).append("\"/>");
        svg.append(String.format(
                Locale.ROOT,
                "<circle cx=\"%s\" cy=\"%s\" r=\"2.4\"/></svg>",
                at(x(speeds.length - 1, speeds.length)),
                at(y(speeds[speeds.length - 1], speeds))));
        return svg.toString();
    }

    private static boolean allPositive(double[] values) {
        return IntStream.range(0, values.length).allMatch(i -> values[i] > 0 && Double.isFinite(values[i]));
    }

    private static double x(int index, int count) {
        return MARGIN + (double) index * (WIDTH - 2 * MARGIN) / (count - 1);
    }

    /** Logarithmic, and never less than a tenth high in all: noise is not to look like a cliff. */
    private static double y(double value, double[] all) {
        double low = Math.log(all[0]);
        double high = low;
        for (double each : all) {
            low = Math.min(low, Math.log(each));
            high = Math.max(high, Math.log(each));
        }
        double middle = (low + high) / 2;
        double span = Math.max(high - low, Math.log(1.1));
        return HEIGHT / 2.0 - (Math.log(value) - middle) / span * (HEIGHT - 2 * MARGIN);
    }

    private static String at(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
