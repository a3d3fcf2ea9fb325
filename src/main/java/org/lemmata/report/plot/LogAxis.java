package org.lemmata.report.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;

/** A logarithmic axis over positive values: where it ends, and which values are labelled. */
public final class LogAxis {

    /** Beyond the outermost values, as a part of the axis. */
    private static final double MARGIN = 0.05;

    /** Over fewer decades than this, powers of ten alone are too few labels. */
    private static final double FEW_DECADES = 2.5;

    /** Over more than this, powers of ten are read more easily than those of two. */
    private static final double MOST_DOUBLED = 1 << 16;

    /** Characters of a label beside which half as many have room. */
    private static final int LONG_LABELS = 4;

    private LogAxis() {}

    /**
     * The scale of the axis.
     *
     * @param most labels that there is room for, at least 2
     */
    static Map<String, Object> of(String aesthetic, String label, Lines.Scale scale, double[] values, int most) {
        double low = DoubleStream.of(values).min().orElse(1);
        double high = DoubleStream.of(values).max().orElse(1);
        double margin = high > low ? Math.pow(high / low, MARGIN) : 2;
        boolean few = Math.log10(high * margin / (low / margin)) < FEW_DECADES;
        boolean doubles = scale == Lines.Scale.LOG2 && high / low < MOST_DOUBLED;
        List<Double> breaks = doubles ? doublings(low, high) : decimals(low / margin, high * margin, few);
        List<Double> kept = thinned(breaks, most);
        int characters = kept.stream().mapToInt(value -> label(value).length()).sum();
        if (aesthetic.equals("x") && characters > LONG_LABELS * most) {
            kept = thinned(breaks, most / 2);
        }
        return scale(aesthetic, label, low / margin, high * margin, kept, LogAxis::label);
    }

    /**
     * The scale of an axis with ends and labelled values of one's own.
     *
     * @param text of a labelled value
     */
    public static Map<String, Object> scale(
            String aesthetic, String label, double low, double high, List<Double> breaks, DoubleFunction<String> text) {
        List<String> labels = breaks.stream().map(text::apply).toList();
        Map<String, Object> axis = PlotSpec.of("aesthetic", aesthetic, "name", label, "trans", "log10");
        Map<String, Object> ends = PlotSpec.with(axis, "limits", List.of(low, high), "expand", List.of(0, 0));
        return PlotSpec.with(ends, "breaks", breaks, "labels", labels);
    }

    private static String label(double value) {
        int exponent = (int) Math.round(Math.log10(value));
        boolean writtenOut = exponent >= -3 && exponent <= 5;
        return !writtenOut && value == Double.parseDouble("1e" + exponent)
                ? NumberText.powerOfTen(exponent)
                : NumberText.of(value);
    }

    /** Every power of two between two values. */
    static List<Double> doublings(double low, double high) {
        var breaks = new ArrayList<Double>();
        for (int exponent = Math.getExponent(low); Math.scalb(1.0, exponent) <= high; exponent++) {
            if (Math.scalb(1.0, exponent) >= low) {
                breaks.add(Math.scalb(1.0, exponent));
            }
        }
        return breaks;
    }

    /** Every power of ten between two values, and of few ones twice and five times those, too. */
    static List<Double> decimals(double low, double high, boolean few) {
        var breaks = new ArrayList<Double>();
        for (int exponent = (int) Math.floor(Math.log10(low)); exponent <= Math.log10(high); exponent++) {
            for (int digit : few ? new int[] {1, 2, 5} : new int[] {1}) {
                double value = Double.parseDouble(digit + "e" + exponent);
                if (value >= low && value <= high) {
                    breaks.add(value);
                }
            }
        }
        return breaks;
    }

    private static List<Double> thinned(List<Double> breaks, int most) {
        int step = Math.ceilDiv(Math.max(1, breaks.size()), most);
        var kept = new ArrayList<Double>();
        for (int i = 0; i < breaks.size(); i += step) {
            kept.add(breaks.get(i));
        }
        return kept;
    }
}
