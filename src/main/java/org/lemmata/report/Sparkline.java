package org.lemmata.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** A row's history as a line with the height of a word. Runs are ordered from left to right; higher is faster. */
final class Sparkline {

    private static final int WIDTH = 120;
    private static final int HEIGHT = 28;
    private static final int MARGIN = 3;

    private Sparkline() {}

    static String svg(List<Tracking.Run> runs) {
        double[] logs = runs.stream().mapToDouble(run -> Math.log(run.speed())).toArray();
        if (logs.length < 2 || !DoubleStream.of(logs).allMatch(Double::isFinite)) {
            return "";
        }
        double low = DoubleStream.of(logs).min().orElseThrow();
        double high = DoubleStream.of(logs).max().orElseThrow();
        // The range is at least 10%, so that noise does not look like a large change.
        double scale = (HEIGHT - 2 * MARGIN) / Math.max(high - low, Math.log(1.1));
        List<String> points = IntStream.range(0, logs.length)
                .mapToObj(i -> String.format(
                        Locale.ROOT,
                        "%.1f,%.1f",
                        MARGIN + (double) i * (WIDTH - 2 * MARGIN) / (logs.length - 1),
                        HEIGHT / 2.0 - (logs[i] - (low + high) / 2) * scale))
                .toList();
        String[] last = points.getLast().split(",", -1);
        return String.format(
                Locale.ROOT,
                "<svg class=\"spark\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\"><title>%3$s</title>"
                        + "<polyline points=\"%s\"/><circle cx=\"%s\" cy=\"%s\" r=\"2.4\"/></svg>",
                WIDTH,
                HEIGHT,
                logs.length + " runs",
                String.join(" ", points),
                last[0],
                last[1]);
    }
}
