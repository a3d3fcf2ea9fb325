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
 * <p>The interval is nominal, for three reasons. Student's interval assumes nearly normal values, but the rates of a
 * few seeds are often 0 or 1. The interval over all cases ignores the spread between seeds. If the best of several
 * configurations is chosen by its rate, the interval is not corrected for that choice. Tests of significance with these
 * intervals have the same limits.
 *
 * @param value the mean over the seeds
 * @param interval the nominal 95% interval of the mean. It covers two intervals: Student's interval over the seeds,
 *     because models differ, and the interval of a proportion over all cases, because a few seeds with equal rates have
 *     no spread
 * @param n the number of cases of all seeds
 * @param uncut {@code interval} before it was cut to [0, 1]
 * @param seeds the number of seeds if {@code uncut} is Student's interval, otherwise 1
 */
public record SeedRate(double value, Interval interval, long n, Interval uncut, int seeds) {

    /** A rate whose interval is over cases, not over seeds. */
    public SeedRate(double value, Interval interval, long n) {
        this(value, interval, n, interval, 1);
    }

    /**
     * The rate of several seeds.
     *
     * @param rates one rate per seed, each a proportion of its own {@code n} cases
     * @throws NoSuchElementException if there are no cases
     */
    public static SeedRate of(List<Measurement> rates) {
        long n = rates.stream().mapToLong(Measurement::n).sum();
        if (n == 0) {
            throw new NoSuchElementException("rates: expected at least one case, got none");
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

    /** The rate of one trial of {@code n} cases. */
    public static SeedRate of(int n, int successes) {
        return new SeedRate((double) successes / n, Interval.proportion(n, successes), n);
    }

    /**
     * The rate of runs. The proportion of a run that diverged is 0.
     *
     * @param share the measurement's name
     * @param cases the setting that has the number of cases
     */
    public static SeedRate of(List<CellRecord> runs, String share, String cases) {
        return of(FigureCells.ofOneModel(runs).stream()
                .map(run -> share(run, share, cases))
                .toList());
    }

    /** The proportion of one run. */
    public static Measurement share(CellRecord run, String share, String cases) {
        return run.measurement(share)
                .orElseGet(() -> Measurement.share(share, run.integer(cases), (int) FigureCells.value(run, share, 0)));
    }

    /** A series of rates with their intervals. */
    public static <T> Series line(
            String name, Collection<T> points, ToDoubleFunction<? super T> x, Function<? super T, SeedRate> rate) {
        return Series.of(name, points, x, each -> rate.apply(each).value, each -> rate.apply(each).interval);
    }

    /** Whether this rate is significantly below another by {@linkplain Welch Welch's test}. */
    public boolean isSignificantlyBelow(SeedRate other) {
        return Welch.isBelow(value, uncut, seeds, other.value, other.uncut, other.seeds);
    }

    /** The interval of the difference of two rates that may be anywhere in their intervals. */
    public Interval minus(SeedRate other) {
        return new Interval(interval.low() - other.interval.high(), interval.high() - other.interval.low());
    }

    public Measurement measured(String name, @Nullable Reference paper) {
        return new Measurement(name, value, "probability", interval, n, paper);
    }
}
