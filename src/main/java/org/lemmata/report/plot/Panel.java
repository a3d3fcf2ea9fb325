package org.lemmata.report.plot;

/**
 * The drawing of a plot as an SVG element within the page. Colours are CSS variables of the page, for the light and the
 * dark theme. The element has no ids, so a page may have many plots. Equal input gives equal bytes.
 */
public final class Panel {

    /** The width of every plot in CSS pixels: a phone has space for one plot, a wide page for three side by side. */
    static final int WIDTH = 340;

    private static final int TOP = 10;
    private static final int RIGHT = 14;
    private static final int BOTTOM = 44;

    private static final int LINE = 20;

    private final PlotAxis x;
    private final PlotAxis y;
    private final int height;
    private final double left;
    private final StringBuilder marks = new StringBuilder();
    private final StringBuilder targets = new StringBuilder();

    public Panel(PlotAxis x, PlotAxis y, int height) {
        this.x = x;
        this.y = y;
        this.height = height;
        double longest =
                y.ticks().stream().mapToDouble(tick -> width(tick.text())).max().orElse(0);
        this.left = Math.min((y.label().isEmpty() ? 8 : LINE + 8) + longest, WIDTH * 0.9);
    }

    /**
     * An upper bound for the width of an axis text in pixels, for DejaVu Sans, the widest of the usual browser fonts.
     */
    static double width(String text) {
        return text.chars()
                .mapToDouble(
                        c -> "ijlrtfI.,:;|()[] \u202f".indexOf(c) >= 0 ? 5.3 : "mwMW×%".indexOf(c) >= 0 ? 12.8 : 8.3)
                .sum();
    }

    /** The pixel position of a value on the horizontal axis. */
    public double x(double value) {
        return left + x.share(value) * (WIDTH - RIGHT - left);
    }

    public double y(double value) {
        return height - BOTTOM - y.share(value) * (height - BOTTOM - TOP);
    }

    public void add(String elements) {
        marks.append(elements);
    }

    /** Adds a line in a colour of the page, such as {@code --ink-soft}. */
    public void path(String variable, double width, String path) {
        add("<path d=\"%s\" fill=\"none\" stroke-width=\"%s\" style=\"stroke:var(%s)\"/>"
                .formatted(path, width, variable));
    }

    /**
     * Adds a disc that receives the pointer and describes the mark below it. The style sheet of the page sets the
     * disc's radius.
     */
    public void target(double atX, double atY, String reading) {
        targets.append("<circle cx=\"" + at(atX) + "\" cy=\"" + at(atY) + "\"><title>" + escaped(reading)
                + "</title></circle>");
    }

    static String text(double x, double y, String anchor, String text) {
        return "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>".formatted(at(x), at(y), anchor, escaped(text));
    }

    /**
     * The SVG element.
     *
     * @param label a description of the plot for screen readers
     */
    public String svg(String label) {
        var grid = new StringBuilder();
        var texts = new StringBuilder();
        double foot = height - BOTTOM;
        for (PlotAxis.Tick tick : x.ticks()) {
            grid.append("M" + place(x(tick.value()), TOP) + "V" + at(foot));
            texts.append(text(x(tick.value()), foot + 16, "middle", tick.text()));
        }
        for (PlotAxis.Tick tick : y.ticks()) {
            double middle = y(tick.value());
            grid.append(y.hasGrid() ? "M" + place(left, middle) + "H" + at(WIDTH - RIGHT) : "");
            texts.append(text(left - 5, middle + 4.5, "end", tick.text()));
        }
        double middle = (TOP + foot) / 2;
        if (!y.label().isEmpty()) {
            texts.append(text(14, middle, "middle", y.label())
                    .replaceFirst("<text ", "<text transform=\"rotate(-90 14 " + at(middle) + ")\" "));
        }
        double center = Math.min((left + WIDTH - RIGHT) / 2, WIDTH - width(x.label()) / 2);
        texts.append(text(center, height - 6.0, "middle", x.label()));
        return ("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s\">"
                        + "<path d=\"%s\" style=\"stroke:var(--grid)\"/>%s%s<g class=\"targets\">%s</g></svg>")
                .formatted(WIDTH, height, escaped(label), grid, texts, marks, targets);
    }

    public static String place(double x, double y) {
        return at(x) + " " + at(y);
    }

    static String at(double pixels) {
        long tenths = Math.round(10 * pixels);
        return tenths % 10 == 0 ? Long.toString(tenths / 10) : Double.toString(tenths / 10.0);
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
