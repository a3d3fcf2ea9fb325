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
    private final List<Supplier<Measurement>> measured = new ArrayList<>();

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
        measured.add(() -> measurement);
    }

    /** The maximum of a figure of each case, which is required to be at most the bound. */
    public Extreme atMost(String name, String unit, double bound) {
        return new Extreme(name, unit, Relation.AT_MOST, bound, false);
    }

    /** The maximum of a figure of each case, which is required to be below the bound. */
    public Extreme below(String name, String unit, double bound) {
        return new Extreme(name, unit, Relation.AT_MOST, bound, true);
    }

    /** The minimum of a figure of each case, which is required to be at least the bound. */
    public Extreme atLeast(String name, String unit, double bound) {
        return new Extreme(name, unit, Relation.AT_LEAST, bound, false);
    }

    /**
     * The maximum or minimum of a figure over the cases of a test. Each case is held against the bound, and
     * {@link #finding} shows the extreme where this was begun. NaN is within no bound, and then is the extreme.
     */
    public final class Extreme {

        private final Relation relation;
        private final double bound;
        private final boolean isStrict;
        private double value;
        private long cases;
        private long counted;

        private Extreme(String name, String unit, Relation relation, double bound, boolean isStrict) {
            this.relation = relation;
            this.bound = bound;
            this.isStrict = isStrict;
            var reference = new Reference(relation, bound);
            measured.add(() -> new Measurement(
                    name, value, unit, Interval.exact(value), counted > 0 ? counted : cases, reference));
        }

        /** Adds a case, with what it says where its figure is not within the bound. */
        public void add(double figure, Supplier<String> counterexample) {
            add(figure);
            boolean isWithin = relation == Relation.AT_MOST ? figure <= bound : figure >= bound;
            require(isWithin && !(isStrict && figure == bound), counterexample);
        }

        /** Adds a case that is not held against the bound. */
        public void add(double figure) {
            boolean isMaximum = relation == Relation.AT_MOST;
            // -0 is 0 to a reader.
            double other = figure + 0.0;
            value = cases == 0 ? other : isMaximum ? Math.max(value, other) : Math.min(value, other);
            cases++;
        }

        /** Counts further cases where each that is added stands for several. */
        public void count(long several) {
            counted += several;
        }
    }

    /** A figure that was computed exactly over {@code n} cases and must not exceed the bound. */
    public void atMost(String name, double value, String unit, long n, double bound) {
        measure(Measurement.exactAtMost(name, value, unit, n, bound));
    }

    /** Requires that a figure of {@code n} cases is at most a bound, and shows it. */
    public void requireAtMost(String name, double value, String unit, long n, double bound) {
        require(value <= bound, () -> name + ": " + value + ", expected at most " + bound);
        atMost(name, value, unit, n, bound);
    }

    /** A figure that was computed exactly over {@code n} cases and must not be below the bound. */
    public void atLeast(String name, double value, String unit, long n, double bound) {
        measure(new Measurement(name, value, unit, Interval.exact(value), n, new Reference(Relation.AT_LEAST, bound)));
    }

    /** A figure that was computed exactly over {@code n} cases, for which the paper has no bound. */
    public void measure(String name, double value, String unit, long n) {
        measure(Measurement.exact(name, value, unit, n));
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
        List<Measurement> all = measured.stream().map(Supplier::get).toList();
        return new Finding(verdict, all, LongStream.of(seeds).boxed().toList());
    }

    /** How many counterexamples there are so far. */
    public int counterexamples() {
        return counterexamples.size();
    }
}
