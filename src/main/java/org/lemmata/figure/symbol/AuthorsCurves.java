package org.lemmata.figure.symbol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.lemmata.claim.Figure.Series;
import org.lemmata.claim.SeedMean;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Welch;

/**
 * The values that Boix-Adsera et al. (2024) plotted, read from their vector figures: test losses or, in figures 2 and
 * 3, proportions of wrong answers. They are means over {@value #TRIALS} trials, with bands of one standard error on
 * either side.
 */
final class AuthorsCurves {

    private static final String FILE = "authors.tsv";

    private static final int TRIALS = 5;

    /** Student's quantile at 97.5% for {@value #TRIALS} - 1 degrees of freedom. */
    private static final double QUANTILE = 2.776;

    /**
     * A point of a curve.
     *
     * @param mean the mean over the trials
     * @param band the interval from one standard error below the mean to one above
     */
    record Point(double mean, Interval band) {

        /**
         * The text after our mean: the authors' mean with its standard error, whether both means differ, and the ratio
         * of both means unless the authors' mean is 0.
         */
        String beside(SeedMean ours) {
            return String.format(
                            Locale.ROOT,
                            "; the authors' mean is %.3g ± %.2g, %s",
                            mean,
                            (band.high() - band.low()) / 2,
                            differs(ours) ? "apart" : "not apart")
                    + (mean == 0 ? "" : String.format(Locale.ROOT, ", factor %.2g", ours.value() / mean));
        }

        /** Whether our mean differs significantly from this point, by {@linkplain Welch Welch's test}. */
        boolean differs(SeedMean ours) {
            double half = QUANTILE * (band.high() - band.low()) / 2;
            var interval = new Interval(mean - half, mean + half);
            return Welch.isBelow(mean, interval, TRIALS, ours.value(), ours.interval(), ours.n())
                    || Welch.isBelow(ours.value(), ours.interval(), ours.n(), mean, interval, TRIALS);
        }
    }

    /**
     * The curves of a figure by the names of our lines; each maps x to a point.
     *
     * @param figure the number of the figure
     * @param axis the quantity x
     */
    static SortedMap<String, NavigableMap<Double, Point>> of(int figure, TemplateAxis axis) {
        var curves = new TreeMap<String, NavigableMap<Double, Point>>();
        text().lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            String[] cells = line.split("\t", -1);
            if (Integer.parseInt(cells[0]) == figure && cells[1].equals(axis.setting())) {
                NavigableMap<Double, Point> points = new TreeMap<>();
                for (String point : cells[3].split("; ", -1)) {
                    List<Double> numbers = List.of(point.split(" ", -1)).stream()
                            .map(Double::valueOf)
                            .toList();
                    points.put(numbers.get(0), new Point(numbers.get(1), new Interval(numbers.get(2), numbers.get(3))));
                }
                curves.put(cells[2], points);
            }
        });
        return curves;
    }

    static Series series(String name, NavigableMap<Double, Point> curve, TemplateAxis axis) {
        return Series.of(
                "authors: " + name,
                curve.entrySet(),
                point -> axis.scaled(point.getKey()),
                point -> point.getValue().mean(),
                point -> point.getValue().band());
    }

    private static String text() {
        try (InputStream file = AuthorsCurves.class.getResourceAsStream(FILE)) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
