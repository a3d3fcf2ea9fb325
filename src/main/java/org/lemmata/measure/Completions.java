package org.lemmata.measure;

import java.util.List;
import java.util.function.Predicate;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.LanguageModel;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;

/**
 * The completions of a model that violate a condition.
 *
 * @param count the number of completed prefixes
 */
public record Completions(int count, List<Generation> failures) {

    public Completions {
        failures = List.copyOf(failures);
    }

    /** Completes every prefix to {@code length} tokens and tests the condition. */
    public static Completions of(
            LanguageModel model, List<int[]> prefixes, int length, Decoding decoding, Predicate<Generation> condition) {
        List<Generation> generations = Generation.complete(model, prefixes, length, decoding);
        return new Completions(
                generations.size(),
                generations.stream().filter(condition.negate()).toList());
    }

    /**
     * The rate of failures among {@code count} completions, which should be 0.
     *
     * @param exhaustive whether these are all cases; otherwise the interval is the 95% confidence interval of a
     *     proportion
     */
    public static Measurement failureRate(String name, int count, int failures, boolean exhaustive) {
        double rate = (double) failures / count;
        return new Measurement(
                name,
                rate,
                "rate",
                exhaustive ? Interval.exact(rate) : Interval.proportion(count, failures),
                count,
                new Measurement.Reference(Measurement.Relation.AT_MOST, 0));
    }
}
