package org.lemmata.report.plot;

import java.util.ArrayList;
import java.util.List;

/** A plot of one value per category, from top to bottom, with each value as text next to its mark. */
public final class BarPlot {

    /**
     * The value of a category. It must be finite and, on a logarithmic scale, positive.
     *
     * @param low the lower end of its interval; {@code value} if it has none
     * @param high the upper end of its interval
     */
    public record Bar(String category, double value, double low, double high) {

        public Bar(String category, double value) {
            this(category, value, value, value);
        }

        String text() {
            return NumberText.withInterval(value, low, high);
        }
    }

    private static final int BAR_HEIGHT = 34;
    private static final int AXIS_HEIGHT = 70;

    private static final double BAR_WIDTH = 21;

    /** The space for the number next to the longest bar, relative to the rest of the axis. */
    private static final double LABEL_ROOM = 0.32;

    private static final double GAP = 7;

    private BarPlot() {}

    /**
     * The plot as an SVG element: bars from zero on a linear scale; dots on a logarithmic scale, which has no zero
     * where bars could start.
     */
    public static String svg(String title, List<Bar> bars, String valueLabel, Lines.Scale scale, SeriesStyle style) {
        var panel = new Panel(
                scale == Lines.Scale.LINEAR
                        ? PlotAxis.linear(valueLabel, 0, largest(bars) * (1 + LABEL_ROOM), true, false)
                        : decades(valueLabel, bars),
                PlotAxis.categories(bars.stream().map(Bar::category).toList(), false),
                AXIS_HEIGHT + BAR_HEIGHT * bars.size());
        var label = new ArrayList<String>();
        for (int i = 0; i < bars.size(); i++) {
            Bar bar = bars.get(i);
            double x = panel.x(bar.value);
            double y = panel.y(i);
            panel.add(style.marks(scale == Lines.Scale.LINEAR ? bar(panel.x(0), x, panel.y(i)) : style.mark(x, y)));
            if (bar.low < bar.high) {
                String from = Panel.place(panel.x(bar.low), y);
                panel.path("--ink-soft", 2.2, "M" + from + "H" + Panel.at(panel.x(bar.high)));
            }
            panel.add(Panel.text(panel.x(bar.high) + GAP, y + 4.5, "start", NumberText.of(bar.value)));
            panel.target(x, y, bar.category + "\n" + valueLabel + ": " + bar.text());
            label.add(bar.category + " " + NumberText.of(bar.value));
        }
        return panel.svg(title + ". " + valueLabel + ": " + String.join("; ", label) + ".");
    }

    private static String bar(double from, double to, double middle) {
        return "M" + Panel.place(from, middle - BAR_WIDTH / 2) + "H" + Panel.at(to) + "v" + BAR_WIDTH + "H"
                + Panel.at(from) + "z";
    }

    /** The axis of whole powers of ten around all values, with space for the numbers. */
    private static PlotAxis decades(String label, List<Bar> bars) {
        double smallest = bars.stream().mapToDouble(Bar::low).min().orElse(1);
        double low = Math.pow(10, Math.floor(Math.log10(smallest)) - 0.1);
        double high = Math.pow(10, Math.ceil(Math.log10(largest(bars))));
        double end = high * Math.pow(high / low, LABEL_ROOM);
        return PlotAxis.logarithmic(
                label, low, end, PlotAxis.fitting(PlotAxis.decimals(low, high), PlotAxis::text, true));
    }

    private static double largest(List<Bar> bars) {
        return bars.stream().mapToDouble(Bar::high).max().orElse(1);
    }
}
