package org.lemmata.report.plot;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * An axis of a plot.
 *
 * @param low the value at its beginning; greater than {@code high} if the axis is reversed
 * @param high the value at its end
 * @param ticks the labelled values
 * @param hasGrid whether the plot has a grid line at each tick
 */
public record PlotAxis(
        String label, boolean isLogarithmic, double low, double high, List<Tick> ticks, boolean hasGrid) {

    private static final double MARGIN = 0.05;

    /** The number of decades below which powers of ten give too few labels. */
    private static final double FEW_DECADES = 2.5;

    /** The ratio above which powers of ten replace powers of two. */
    private static final double MAX_DOUBLINGS_RATIO = 1 << 16;

    private static final double LABEL_SPACE = 0.8 * Panel.WIDTH;

    private static final int MAX_LABELS = 8;
    private static final int MAX_WHOLE_NUMBERS = 12;

    public record Tick(double value, String text) {}

    /** The relative position of a value: 0 at the beginning, 1 at the end. */
    double share(double value) {
        return isLogarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    }

    /**
     * An axis around values, which must be positive on a logarithmic scale. A short range of whole numbers gets a label
     * for each.
     */
    static PlotAxis around(double[] values, String label, Lines.Scale scale, boolean isHorizontal) {
        double low = DoubleStream.of(values).min().orElse(scale == Lines.Scale.LINEAR ? 0 : 1);
        double high = DoubleStream.of(values).max().orElse(1);
        if (scale == Lines.Scale.LINEAR) {
            double margin = high > low ? MARGIN * (high - low) : low == 0 ? 1 : Math.abs(low) / 2;
            boolean isWhole = DoubleStream.of(values).allMatch(value -> value == Math.rint(value));
            return linear(label, low - margin, high + margin, isHorizontal, isWhole);
        }
        double factor = high > low ? Math.pow(high / low, MARGIN) : 2;
        double from = Math.max(low / factor, Double.MIN_VALUE);
        double to = Math.min(high * factor, Double.MAX_VALUE);
        boolean isDoubled = scale == Lines.Scale.LOG2 && high / low < MAX_DOUBLINGS_RATIO;
        List<Double> breaks = isDoubled ? doublings(low, high) : decimals(from, to);
        if (breaks.size() < 2) {
            // These breaks are too few for labels.
            return logarithmic(label, from, to, fitting(most -> steps(from, to, most), isHorizontal));
        }
        return logarithmic(label, from, to, fitting(breaks, PlotAxis::text, isHorizontal));
    }

    /** A linear axis from {@code low} to {@code end}; if both are equal, the axis ends at a greater value. */
    static PlotAxis linear(String label, double low, double end, boolean isHorizontal, boolean isWhole) {
        double high = end - low >= Double.MIN_NORMAL ? end : low + Math.max(1, Math.abs(low));
        List<Tick> whole = isWhole && high - low < MAX_WHOLE_NUMBERS ? multiples(1, low, high) : List.of();
        List<Tick> ticks = !whole.isEmpty() && hasRoom(whole, isHorizontal)
                ? whole
                : fitting(most -> steps(low, high, most), isHorizontal);
        return new PlotAxis(label, false, low, high, ticks, true);
    }

    /** A logarithmic axis with given ends and labels. */
    public static PlotAxis logarithmic(String label, double low, double high, List<Tick> ticks) {
        return new PlotAxis(label, true, low, high, ticks, true);
    }

    /** An axis of categories from top to bottom; the first is at 0. */
    static PlotAxis categories(List<String> names, boolean hasGrid) {
        List<Tick> ticks = IntStream.range(0, names.size())
                .mapToObj(i -> new Tick(i, names.get(i)))
                .toList();
        return new PlotAxis("", false, names.size() - 0.5, -0.5, ticks, hasGrid);
    }

    /** As many labels of {@code values} as fit, at equal steps. */
    static List<Tick> fitting(List<Double> values, DoubleFunction<String> text, boolean isHorizontal) {
        return fitting(
                most -> IntStream.range(0, values.size())
                        .filter(i -> i % Math.ceilDiv(values.size(), most) == 0)
                        .mapToObj(i -> new Tick(values.get(i), text.apply(values.get(i))))
                        .toList(),
                isHorizontal);
    }

    private static List<Tick> fitting(IntFunction<List<Tick>> ticks, boolean isHorizontal) {
        return IntStream.iterate(MAX_LABELS, most -> most > 1, most -> most - 1)
                .mapToObj(ticks)
                .filter(some -> hasRoom(some, isHorizontal))
                .findFirst()
                .orElseGet(() -> ticks.apply(1));
    }

    private static boolean hasRoom(List<Tick> ticks, boolean isHorizontal) {
        return !isHorizontal
                || ticks.stream()
                                .mapToDouble(tick -> Panel.width(tick.text()) + 10)
                                .sum()
                        < LABEL_SPACE;
    }

    /** Labels at multiples of 1, 2 or 5 times a power of ten, with at most {@code most} steps between the ends. */
    private static List<Tick> steps(double low, double high, int most) {
        double least = (high - low) / most;
        double power = Math.pow(10, Math.floor(Math.log10(least)));
        double step = DoubleStream.of(1, 2, 5)
                .map(digit -> digit * power)
                .filter(each -> each >= least)
                .findFirst()
                .orElse(10 * power);
        return multiples(step, low, high);
    }

    private static List<Tick> multiples(double step, double low, double high) {
        int places = -(int) Math.floor(Math.log10(step) + 1e-9);
        return LongStream.iterate((long) Math.ceil(low / step), i -> i * step <= high, i -> i + 1)
                .mapToObj(i -> new Tick(
                        i * step,
                        places <= 0 || places > 4
                                ? NumberText.of(i * step)
                                : NumberText.fixed(new BigDecimal(i * step).setScale(places, RoundingMode.HALF_EVEN))))
                .toList();
    }

    /** The text of a value; very large and very small values are powers of ten. */
    static String text(double value) {
        int exponent = (int) Math.round(Math.log10(value));
        boolean writtenOut = exponent >= -3 && exponent <= 5;
        return !writtenOut && value == Double.parseDouble("1e" + exponent)
                ? NumberText.powerOfTen(exponent)
                : NumberText.of(value);
    }

    static List<Double> doublings(double low, double high) {
        return IntStream.rangeClosed(Math.getExponent(low), Math.getExponent(high))
                .mapToObj(exponent -> Math.scalb(1.0, exponent))
                .filter(value -> value >= low && value <= high)
                .toList();
    }

    /** Every power of ten between two values; if there are few, also the multiples by 2 and 5. */
    static List<Double> decimals(double low, double high) {
        int[] digits = Math.log10(high / low) < FEW_DECADES ? new int[] {1, 2, 5} : new int[] {1};
        var breaks = new ArrayList<Double>();
        for (int exponent = (int) Math.floor(Math.log10(low)); exponent <= Math.log10(high); exponent++) {
            for (int digit : digits) {
                double value = Double.parseDouble(digit + "e" + exponent);
                if (value >= low && value <= high) {
                    breaks.add(value);
                }
            }
        }
        return breaks;
    }
}
