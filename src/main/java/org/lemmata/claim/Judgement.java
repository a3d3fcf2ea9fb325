package org.lemmata.claim;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;
import org.lemmata.statistic.Welch;
import org.lemmata.track.CellRecord;

/**
 * Collects the evidence for a paper's sentence about a figure: inequalities, measurements, plots, and the scores of
 * trivial baselines. Measured intervals confirm each inequality, contradict it, or leave it open.
 */
public final class Judgement {

    private final Computation computation;
    private final List<String> held = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private final List<String> open = new ArrayList<>();
    private final List<Measurement> measured = new ArrayList<>();
    private final List<Figure> figures = new ArrayList<>();
    private final List<Long> seeds = new ArrayList<>();
    private final List<TrivialAnswer> trivial = new ArrayList<>();
    private final List<String> unlearned = new ArrayList<>();

    public Judgement(Computation computation) {
        this.computation = computation;
    }

    public Computation computation() {
        return computation;
    }

    /**
     * Adds an inequality.
     *
     * @param text both sides with their values
     * @param holds whether the inequality holds for all values in the intervals
     * @param fails whether the inequality fails for all values in the intervals
     */
    public Judgement add(String text, boolean holds, boolean fails) {
        (holds ? held : fails ? failed : open).add(text);
        return this;
    }

    /** Requires that mean {@code a} is significantly below mean {@code b}. */
    public Judgement below(String lesser, Interval a, String greater, Interval b) {
        return add(lesser + " < " + greater, Welch.isBelow(a, b), Welch.isBelow(b, a));
    }

    /** Requires that one rate is significantly below another. */
    public Judgement below(String lesser, SeedRate a, String greater, SeedRate b) {
        return add(text(lesser, a) + " < " + text(greater, b), a.isSignificantlyBelow(b), b.isSignificantlyBelow(a));
    }

    /** Requires that one mean is significantly below another. */
    public Judgement below(String lesser, SeedMean a, String greater, SeedMean b) {
        return add(a.text(lesser) + " < " + b.text(greater), a.isSignificantlyBelow(b), b.isSignificantlyBelow(a));
    }

    /** Requires that one rate is not significantly below another. This requirement is never left open. */
    public Judgement notBelow(String name, SeedRate rate, String other, SeedRate before) {
        boolean decreases = rate.isSignificantlyBelow(before);
        return add(text(name, rate) + " not below " + text(other, before), !decreases, decreases);
    }

    /**
     * Requires that the last rate is significantly above the first, and that no rate is significantly below its
     * predecessor.
     */
    public void grows(List<String> names, List<SeedRate> rates) {
        below(names.getFirst(), rates.getFirst(), names.getLast(), rates.getLast());
        for (int i = 1; i < names.size(); i++) {
            notBelow(names.get(i), rates.get(i), names.get(i - 1), rates.get(i - 1));
        }
    }

    /** Requires that a rate is at least a bound. */
    public Judgement atLeast(String name, SeedRate rate, double bound) {
        return within(text(name, rate) + " >= " + bound, rate.interval(), bound, Double.POSITIVE_INFINITY);
    }

    /** Requires that a rate is above a bound. */
    public Judgement above(String name, SeedRate rate, double bound) {
        return add(
                text(name, rate) + " > " + bound,
                rate.interval().low() > bound,
                rate.interval().high() < bound);
    }

    /** Requires that a rate is below a bound. */
    public Judgement below(String name, SeedRate rate, double bound) {
        return add(
                text(name, rate) + " < " + bound,
                rate.interval().high() < bound,
                rate.interval().low() > bound);
    }

    /** Requires that a rate is 1. */
    public Judgement isOne(String name, SeedRate rate) {
        return add(text(name, rate) + " = 1", rate.value() == 1, rate.value() < 1);
    }

    /** Requires that an interval is between two bounds. */
    public Judgement within(String text, Interval interval, double low, double high) {
        return add(
                text, interval.low() >= low && interval.high() <= high, interval.low() > high || interval.high() < low);
    }

    /**
     * Requires that a property holds in every seed. The requirement fails if the property holds in no seed. It is left
     * open if the property holds in some seeds, or if there are no seeds.
     */
    public Judgement each(String what, List<Boolean> holds) {
        long count = holds.stream().filter(each -> each).count();
        return add(
                what + " in " + count + " of " + holds.size() + " seeds",
                count == holds.size() && count > 0,
                count == 0 && !holds.isEmpty());
    }

    /** A name with its rate and interval. */
    public static String text(String name, SeedRate rate) {
        return text(name, "%.3f", rate.value(), rate.interval());
    }

    /** A name with a value and its interval, each in a format such as %.3f. */
    public static String text(String name, String format, double value, Interval interval) {
        String figures = String.join("", " ", format, " [", format, ", ", format, "]");
        return name + String.format(Locale.ROOT, figures, value, interval.low(), interval.high());
    }

    /**
     * Adds a measurement: the mean of a value over the runs of a model, with Student's interval if there are several
     * runs.
     */
    public void measureMean(String name, List<CellRecord> runs, ToDoubleFunction<CellRecord> figure) {
        double[] values =
                FigureCells.ofOneModel(runs).stream().mapToDouble(figure).toArray();
        double mean = DoubleStream.of(values).average().orElse(Double.NaN);
        Interval interval = values.length > 1 ? Interval.mean(values) : Interval.exact(mean);
        measured.add(new Measurement(name, mean, "", interval, values.length, null));
    }

    public void measure(Measurement measurement) {
        measured.add(measurement);
    }

    /** Adds a rate for which the paper has no value. */
    public void measure(String name, SeedRate rate) {
        measured.add(rate.measured(name, null));
    }

    /** Adds a rate to compare with the paper's value. */
    public void measure(String name, SeedRate rate, Relation relation, double paper) {
        measured.add(rate.measured(name, new Reference(relation, paper)));
    }

    public void show(Figure figure) {
        figures.add(figure);
    }

    /** Adds a random seed that was used in addition to the cells' seeds. */
    public void drewFrom(long seed) {
        seeds.add(seed);
    }

    /** Where the score of a model that has learned must lie, relative to the score of a trivial baseline. */
    public enum Side {
        ABOVE,
        BELOW,
        APART
    }

    /**
     * Compares a score of trained models with trivial baselines. The models have learned if the score's 95% interval,
     * over seeds and test cases, lies on the given side of every baseline's interval. If a score fails this test, the
     * verdict is "not learned". The score is also added as a measurement whose name begins with "learned: ".
     */
    public void learned(Measurement figure, Side side, List<TrivialAnswer> answers) {
        String name = "learned: " + figure.name();
        Interval interval = figure.interval();
        measured.add(new Measurement(name, figure.value(), figure.unit(), interval, figure.n(), figure.reference()));
        for (TrivialAnswer answer : answers) {
            named(answer);
            boolean above = interval.low() > answer.interval().high();
            boolean below = interval.high() < answer.interval().low();
            boolean learned = switch (side) {
                case ABOVE -> above;
                case BELOW -> below;
                case APART -> above || below;
            };
            if (!learned) {
                unlearned.add(text(figure.name(), "%.3g", figure.value(), interval) + " against " + answer.text());
            }
        }
    }

    /** Compares a rate of trained models with trivial baselines. The baselines' rates must be lower. */
    public void learned(String name, SeedRate rate, List<TrivialAnswer> answers) {
        learned(rate.measured(name, null), Side.ABOVE, answers);
    }

    /** Adds a trivial baseline for display only. */
    public void named(TrivialAnswer answer) {
        if (!trivial.contains(answer)) {
            trivial.add(answer);
        }
    }

    /**
     * The verdict. Not learned if a score does not significantly beat a trivial baseline; otherwise refuted if an
     * inequality fails; otherwise inconclusive if an inequality is open or there is none; otherwise supported.
     */
    public Verdict verdict() {
        if (!unlearned.isEmpty()) {
            return new Verdict(
                    Outcome.NOT_LEARNED,
                    "not significantly better than a trivial answer: " + String.join("; ", unlearned));
        }
        if (!failed.isEmpty()) {
            return new Verdict(Outcome.REFUTED, "does not hold: " + String.join("; ", failed));
        }
        if (!open.isEmpty()) {
            return new Verdict(Outcome.INCONCLUSIVE, "the intervals leave open: " + String.join("; ", open));
        }
        if (held.isEmpty()) {
            return new Verdict(Outcome.INCONCLUSIVE, "nothing was compared");
        }
        return new Verdict(Outcome.SUPPORTED, String.join("; ", held));
    }

    /** The distance from an approximate value ("about") in the paper, for display only; otherwise empty. */
    private static String distance(Measurement figure) {
        Reference reference = figure.reference();
        if (reference == null || reference.relation() != Relation.ABOUT) {
            return "";
        }
        double paper = reference.value();
        Interval interval = figure.interval();
        boolean holds = interval.low() <= paper && paper <= interval.high();
        return "; " + text(figure.name(), "%.3g", figure.value(), interval)
                + (holds ? " holds" : String.format(Locale.ROOT, " is %.3g from", figure.value() - paper))
                + " the paper's about " + paper;
    }

    /** The finding with everything added so far; its seeds are {@code ofCells} and the seeds added. */
    public Finding finding(List<Long> ofCells) {
        Verdict verdict = verdict();
        String distances = measured.stream().map(Judgement::distance).collect(Collectors.joining());
        return new Finding(
                new Verdict(verdict.outcome(), verdict.reason() + distances),
                measured,
                Stream.concat(ofCells.stream(), seeds.stream()).toList(),
                figures,
                trivial);
    }
}
