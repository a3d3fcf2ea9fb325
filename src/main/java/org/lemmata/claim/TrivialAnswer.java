package org.lemmata.claim;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.lemmata.statistic.Interval;
import org.lemmata.task.depth.PrefixLaw;

/**
 * What a model reaches that has learned nothing.
 *
 * @param name what it answers: "always the majority answer"
 * @param interval of a value that is measured, at 95%; the value itself where it is computed
 */
public record TrivialAnswer(String name, double value, Interval interval) {

    /** Computed exactly. */
    public TrivialAnswer(String name, double value) {
        this(name, value, Interval.exact(value));
    }

    /** A measured rate. */
    public static TrivialAnswer of(String name, SeedRate rate) {
        return new TrivialAnswer(name, rate.value(), rate.interval());
    }

    /**
     * How often brackets complete a prefix that do not hang on it: a coin's, those of their position in the words
     * trained on, drawn or the likelier one, and ')' alone.
     *
     * @param openings which share of those words has '(' at each position
     */
    public static List<TrivialAnswer> completions(PrefixLaw prefixes, double... openings) {
        double[] coin = new double[openings.length];
        Arrays.fill(coin, 0.5);
        // In the middle both are as likely, up to rounding: '(' there.
        double[] likelier =
                Arrays.stream(openings).map(open -> open > 0.5 - 1e-9 ? 1 : 0).toArray();
        return List.of(
                new TrivialAnswer("a coin", prefixes.completed(coin)),
                new TrivialAnswer("brackets at the rates of their positions", prefixes.completed(openings)),
                new TrivialAnswer("the likelier bracket of each position", prefixes.completed(likelier)),
                new TrivialAnswer("always close", prefixes.completed(new double[openings.length])));
    }

    /** The same, of a sample of so many cases. */
    public TrivialAnswer ofSample(int cases) {
        return new TrivialAnswer(name, value, Interval.proportion(cases, (int) Math.round(cases * value)));
    }

    /** The one of the highest value. */
    public static TrivialAnswer best(List<TrivialAnswer> answers) {
        return answers.stream()
                .max(Comparator.comparingDouble(TrivialAnswer::value))
                .orElseThrow();
    }

    /** A line of a picture, between two x. */
    public Figure.Series line(double from, double to) {
        return Figure.Series.level("without learning: " + name, from, to, value);
    }

    /** With its figure, and its interval where it has one. */
    public String text() {
        return name
                + String.format(Locale.ROOT, " %.3g", value)
                + (interval.low() < interval.high()
                        ? String.format(Locale.ROOT, " [%.3g, %.3g]", interval.low(), interval.high())
                        : "");
    }
}
