package org.lemmata.claim;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.lemmata.statistic.Interval;
import org.lemmata.task.depth.PrefixLaw;

/**
 * A trivial baseline: an answer without learning, with its score.
 *
 * @param name the answer, such as "always the majority answer"
 * @param interval the 95% interval of a measured value; the value itself if it is computed
 */
public record TrivialAnswer(String name, double value, Interval interval) {

    public TrivialAnswer(String name, double value) {
        this(name, value, Interval.exact(value));
    }

    /** A baseline whose score is a measured rate. */
    public static TrivialAnswer of(String name, SeedRate rate) {
        return new TrivialAnswer(name, rate.value(), rate.interval());
    }

    /**
     * The completion rates of baselines whose brackets do not depend on the prefix: fair coin flips, brackets drawn at
     * each position's rate in the training words, the likelier bracket of each position, and only ')'.
     *
     * @param openings for each position, the proportion of training words with '(' at this position
     */
    public static List<TrivialAnswer> completions(PrefixLaw prefixes, double... openings) {
        double[] coin = new double[openings.length];
        Arrays.fill(coin, 0.5);
        // If both are equally likely up to rounding, the baseline answers '('.
        double[] likelier =
                Arrays.stream(openings).map(open -> open > 0.5 - 1e-9 ? 1 : 0).toArray();
        return List.of(
                new TrivialAnswer("a coin", prefixes.completed(coin)),
                new TrivialAnswer("brackets at the rates of their positions", prefixes.completed(openings)),
                new TrivialAnswer("the likelier bracket of each position", prefixes.completed(likelier)),
                new TrivialAnswer("always close", prefixes.completed(new double[openings.length])));
    }

    /** This baseline with the interval of a proportion of {@code cases} cases. */
    public TrivialAnswer ofSample(int cases) {
        return new TrivialAnswer(name, value, Interval.proportion(cases, (int) Math.round(cases * value)));
    }

    public static TrivialAnswer best(List<TrivialAnswer> answers) {
        return answers.stream()
                .max(Comparator.comparingDouble(TrivialAnswer::value))
                .orElseThrow();
    }

    /** This baseline as a horizontal line in a plot. */
    public Figure.Series line(double from, double to) {
        return Figure.Series.level("without learning: " + name, from, to, value);
    }

    /** The name with its value and, if it has one, its interval. */
    public String text() {
        return name
                + String.format(Locale.ROOT, " %.3g", value)
                + (interval.low() < interval.high()
                        ? String.format(Locale.ROOT, " [%.3g, %.3g]", interval.low(), interval.high())
                        : "");
    }
}
