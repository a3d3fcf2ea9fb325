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

/** Collects the counterexamples and measurements of a test, and computes the verdict from the counterexamples. */
public final class Tally {

    private final List<String> counterexamples = new ArrayList<>();
    private final List<Supplier<Measurement>> measured = new ArrayList<>();

    /** The random generator for the samples of claims. */
    public static RandomGenerator random(long seed) {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    }

    /** Adds a case; if it does not hold, it is a counterexample. */
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

    public void refute(String counterexample) {
        counterexamples.add(counterexample);
    }

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
     * The maximum or minimum of a quantity over the cases of a test, displayed with its bound. {@link #finding} lists
     * extremes in the order in which they were created. NaN is never within the bound, and becomes the extreme.
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

        /** Adds a case; if its value is not within the bound, it is a counterexample. */
        public void add(double figure, Supplier<String> counterexample) {
            add(figure);
            boolean isWithin = relation == Relation.AT_MOST ? figure <= bound : figure >= bound;
            require(isWithin && !(isStrict && figure == bound), counterexample);
        }

        /** Adds a case without comparing it with the bound. */
        public void add(double figure) {
            boolean isMaximum = relation == Relation.AT_MOST;
            // Converts -0 to 0 for display.
            double other = figure + 0.0;
            value = cases == 0 ? other : isMaximum ? Math.max(value, other) : Math.min(value, other);
            cases++;
        }

        /** Adds to the displayed number of cases. Without calls, the number of added values is displayed. */
        public void count(long several) {
            counted += several;
        }
    }

    /** Measures an exact value over {@code n} cases and displays an upper bound, without a comparison. */
    public void atMost(String name, double value, String unit, long n, double bound) {
        measure(Measurement.exactAtMost(name, value, unit, n, bound));
    }

    /** Requires that a value over {@code n} cases is at most a bound, and measures it. */
    public void requireAtMost(String name, double value, String unit, long n, double bound) {
        require(value <= bound, () -> name + ": " + value + ", expected at most " + bound);
        atMost(name, value, unit, n, bound);
    }

    /** Measures an exact value over {@code n} cases and displays a lower bound, without a comparison. */
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
     * The finding: refuted by the first counterexample, or supported if there is none.
     *
     * @param supported the reason if there is no counterexample
     * @param seeds the random seeds that were used
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
