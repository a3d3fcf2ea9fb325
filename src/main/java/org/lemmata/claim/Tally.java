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

/** Collects the cases of a test: counterexamples and measurements, from which it gives the verdict. */
public final class Tally {

    private final List<String> counterexamples = new ArrayList<>();
    private final List<Supplier<Measurement>> measured = new ArrayList<>();

    /** The random generator for the samples of claims. */
    public static RandomGenerator random(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    /** Adds a case, which is a counterexample unless it holds. Comparisons with NaN are false. */
    public void require(boolean holds, Supplier<String> counterexample) {
        if (!holds) {
            refute(counterexample.get());
        }
    }

    /** Adds a case, with a message for {@link String#format} that is formatted only if the case does not hold. */
    @FormatMethod
    public void require(boolean holds, @FormatString String counterexample, Object... values) {
        require(holds, () -> String.format(Locale.ROOT, counterexample, values));
    }

    /** Adds a counterexample. */
    public void refute(String counterexample) {
        counterexamples.add(counterexample);
    }

    /** Adds a measurement. */
    public void measure(Measurement measurement) {
        measured.add(() -> measurement);
    }

    /** Measures the maximum of a quantity over cases, each of which must be at most the bound. */
    public Extreme atMost(String name, String unit, double bound) {
        return new Extreme(name, unit, Relation.AT_MOST, bound, false);
    }

    /** Measures the maximum of a quantity over cases, each of which must be below the bound. */
    public Extreme below(String name, String unit, double bound) {
        return new Extreme(name, unit, Relation.AT_MOST, bound, true);
    }

    /** Measures the minimum of a quantity over cases, each of which must be at least the bound. */
    public Extreme atLeast(String name, String unit, double bound) {
        return new Extreme(name, unit, Relation.AT_LEAST, bound, false);
    }

    /**
     * The maximum or minimum of a quantity over the cases of a test. Each case is compared with the bound.
     * {@link #finding} lists the extreme in the order in which measurements were begun. NaN is within no bound and
     * becomes the extreme.
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

        /** Adds a case, which is a counterexample if its value is not within the bound. */
        public void add(double figure, Supplier<String> counterexample) {
            add(figure);
            boolean isWithin = relation == Relation.AT_MOST ? figure <= bound : figure >= bound;
            require(isWithin && !(isStrict && figure == bound), counterexample);
        }

        /** Adds a case without comparing it with the bound. */
        public void add(double figure) {
            boolean isMaximum = relation == Relation.AT_MOST;
            // Prints -0 as 0.
            double other = figure + 0.0;
            value = cases == 0 ? other : isMaximum ? Math.max(value, other) : Math.min(value, other);
            cases++;
        }

        /** Counts cases, if each added value stands for several. */
        public void count(long several) {
            counted += several;
        }
    }

    /** Measures an exact value over {@code n} cases next to an upper bound, without comparing them. */
    public void atMost(String name, double value, String unit, long n, double bound) {
        measure(Measurement.exactAtMost(name, value, unit, n, bound));
    }

    /** Requires that a value over {@code n} cases is at most a bound, and measures it. */
    public void requireAtMost(String name, double value, String unit, long n, double bound) {
        require(value <= bound, () -> name + ": " + value + ", expected at most " + bound);
        atMost(name, value, unit, n, bound);
    }

    /** Measures an exact value over {@code n} cases next to a lower bound, without comparing them. */
    public void atLeast(String name, double value, String unit, long n, double bound) {
        measure(new Measurement(name, value, unit, Interval.exact(value), n, new Reference(Relation.AT_LEAST, bound)));
    }

    /** Measures an exact value over {@code n} cases for which the paper has no bound. */
    public void measure(String name, double value, String unit, long n) {
        measure(Measurement.exact(name, value, unit, n));
    }

    /** Measures a number of cases among {@code n}. */
    public void count(String name, int value, long n) {
        measure(name, value, "", n);
    }

    /**
     * Refuted by the first counterexample, or supported.
     *
     * @param supported the reason if there is no counterexample
     * @param seeds every random seed that was used
     */
    public Finding finding(String supported, long... seeds) {
        return finding(Verdict.of(counterexamples, supported), seeds);
    }

    /** A finding with a given verdict and all measurements. */
    public Finding finding(Verdict verdict, long... seeds) {
        List<Measurement> all = measured.stream().map(Supplier::get).toList();
        return new Finding(verdict, all, LongStream.of(seeds).boxed().toList());
    }

    /** The number of counterexamples so far. */
    public int counterexamples() {
        return counterexamples.size();
    }
}
