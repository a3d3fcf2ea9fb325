package org.lemmata.claim;

import java.util.Collection;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.lemmata.claim.Figure.Series;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Welch;
import org.lemmata.track.CellRecord;

/**
 * A rate over the seeds of one configuration.
 *
 * <p>Its interval is nominal. Student's supposes values that are about normal, and the rates of a few seeds often sit
 * at 0 or 1; that of all cases together leaves out the spread between seeds; and where the best of several
 * configurations is taken by its rate, nothing corrects the interval for the choice. What is called sure follows from
 * these intervals, and is no sharper than they are.
 *
 * @param value the mean over the seeds
 * @param interval for that mean, nominally at 95%: Student's over the seeds, since models differ; and that of all cases
 *     together, since a few seeds of equal rate have no spread; whatever lies in one of them
 * @param n cases of all seeds
 * @param uncut the interval before it was cut to [0, 1]
 * @param seeds how many there are; 1 where the interval is not Student's alone
 */
public record SeedRate(double value, Interval interval, long n, Interval uncut, int seeds) {

    /** A rate whose interval is of cases, not over seeds. */
    public SeedRate(double value, Interval interval, long n) {
        this(value, interval, n, interval, 1);
    }

    /**
     * The rate of several seeds.
     *
     * @param rates one a seed, each a share of its own {@code n} cases
     * @throws NoSuchElementException if there is no case
     */
    public static SeedRate of(List<Measurement> rates) {
        long n = rates.stream().mapToLong(Measurement::n).sum();
        if (n == 0) {
            throw new NoSuchElementException("rates of no cases");
        }
        double successes =
                rates.stream().mapToDouble(rate -> rate.value() * rate.n()).sum();
        double[] values = rates.stream().mapToDouble(Measurement::value).toArray();
        double mean = rates.stream().mapToDouble(Measurement::value).average().orElseThrow();
        Interval cases = Interval.proportion(Math.toIntExact(n), (int) Math.round(successes));
        if (values.length == 1) {
            return new SeedRate(mean, cases, n);
        }
        Interval seeds = Interval.mean(values);
        boolean isStudents = seeds.low() <= cases.low() && cases.high() <= seeds.high();
        var uncut = new Interval(Math.min(cases.low(), seeds.low()), Math.max(cases.high(), seeds.high()));
        return new SeedRate(
                mean,
                new Interval(Math.max(0, uncut.low()), Math.min(1, uncut.high())),
                n,
                uncut,
                isStudents ? values.length : 1);
    }

    /** That of one trial of {@code n} cases. */
    public static SeedRate of(int n, int successes) {
        return new SeedRate((double) successes / n, Interval.proportion(n, successes), n);
    }

    /**
     * That of runs; one that diverged has a share of 0.
     *
     * @param share its measurement
     * @param cases the setting that says how many cases there are
     */
    public static SeedRate of(List<CellRecord> runs, String share, String cases) {
        return of(runs.stream().map(run -> share(run, share, cases)).toList());
    }

    /** The share of one run. */
    public static Measurement share(CellRecord run, String share, String cases) {
        return run.measurement(share).orElseGet(() -> Measurement.share(share, run.integer(cases), 0));
    }

    /** Rates of some things as a line, with their intervals. */
    public static <T> Series line(
            String name, Collection<T> points, ToDoubleFunction<? super T> x, Function<? super T, SeedRate> rate) {
        return Series.of(name, points, x, each -> rate.apply(each).value, each -> rate.apply(each).interval);
    }

    /** Whether it is significantly below another rate by {@linkplain Welch Welch's test}. */
    public boolean isSignificantlyBelow(SeedRate other) {
        return Welch.isBelow(value, uncut, seeds, other.value, other.uncut, other.seeds);
    }

    /** The difference of two rates, wherever in their intervals they are. */
    public Interval minus(SeedRate other) {
        return new Interval(interval.low() - other.interval.high(), interval.high() - other.interval.low());
    }

    /** As a row of a claim, beside what the paper says of it. */
    public Measurement measured(String name, @Nullable Reference paper) {
        return new Measurement(name, value, "probability", interval, n, paper);
    }
}
