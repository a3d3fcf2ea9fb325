package org.lemmata.claim;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.LongStream;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

/** What comes up in the cases of a test: counterexamples, figures beside their bounds, and the verdict from both. */
public final class Tally {

    private final List<String> counterexamples = new ArrayList<>();
    private final List<Measurement> measured = new ArrayList<>();

    /** The generator that samples of claims are drawn from. */
    public static RandomGenerator random(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    /** A case that holds, or is a counterexample; a comparison with NaN holds for none. */
    public void require(boolean holds, Supplier<String> counterexample) {
        if (!holds) {
            refute(counterexample.get());
        }
    }

    /** The same, with a message by {@link String#format}, made only where it does not hold. */
    @FormatMethod
    public void require(boolean holds, @FormatString String counterexample, Object... values) {
        require(holds, () -> String.format(Locale.ROOT, counterexample, values));
    }

    /** Adds a counterexample. */
    public void refute(String counterexample) {
        counterexamples.add(counterexample);
    }

    /** Adds a figure. */
    public void measure(Measurement measurement) {
        measured.add(measurement);
    }

    /** A figure that was computed exactly over {@code n} cases and must not exceed the bound. */
    public void atMost(String name, double value, String unit, long n, double bound) {
        measured.add(Measurement.exactAtMost(name, value, unit, n, bound));
    }

    /** A figure that was computed exactly over {@code n} cases and must not be below the bound. */
    public void atLeast(String name, double value, String unit, long n, double bound) {
        measured.add(
                new Measurement(name, value, unit, Interval.exact(value), n, new Reference(Relation.AT_LEAST, bound)));
    }

    /** A figure that was computed exactly over {@code n} cases, for which the paper has no bound. */
    public void measure(String name, double value, String unit, long n) {
        measured.add(Measurement.exact(name, value, unit, n));
    }

    /** The same of a count of cases. */
    public void count(String name, int value, long n) {
        measure(name, value, "", n);
    }

    /**
     * Refuted by the first counterexample, or supported.
     *
     * @param supported what held
     * @param seeds every seed that was drawn from
     */
    public Finding finding(String supported, long... seeds) {
        return finding(Verdict.of(counterexamples, supported), seeds);
    }

    /** With a verdict of its own. */
    public Finding finding(Verdict verdict, long... seeds) {
        return new Finding(verdict, measured, LongStream.of(seeds).boxed().toList());
    }

    /** How many counterexamples there are so far. */
    public int counterexamples() {
        return counterexamples.size();
    }
}
