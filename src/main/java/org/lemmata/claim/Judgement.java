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
 * What a paper's sentence on a figure comes to: inequalities, each with what the measured intervals say of it; the
 * figures on their sides; pictures; and what models reach that have learned nothing.
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

    /** @param computation what closed forms beside the trained models compute with */
    public Judgement(Computation computation) {
        this.computation = computation;
    }

    public Computation computation() {
        return computation;
    }

    /**
     * Adds an inequality.
     *
     * @param text names both sides, with their figures
     * @param holds whether it holds wherever in their intervals the true values are
     * @param fails whether it fails wherever they are
     */
    public Judgement add(String text, boolean holds, boolean fails) {
        (holds ? held : fails ? failed : open).add(text);
        return this;
    }

    /** The middle of an interval significantly below that of another one. */
    public Judgement below(String lesser, Interval a, String greater, Interval b) {
        return add(lesser + " < " + greater, Welch.isBelow(a, b), Welch.isBelow(b, a));
    }

    /** One rate significantly below another. */
    public Judgement below(String lesser, SeedRate a, String greater, SeedRate b) {
        return add(text(lesser, a) + " < " + text(greater, b), a.isSignificantlyBelow(b), b.isSignificantlyBelow(a));
    }

    /** One mean significantly below another. */
    public Judgement below(String lesser, SeedMean a, String greater, SeedMean b) {
        return add(a.text(lesser) + " < " + b.text(greater), a.isSignificantlyBelow(b), b.isSignificantlyBelow(a));
    }

    /** One rate not significantly below another, which is so or is not. */
    public Judgement notBelow(String name, SeedRate rate, String other, SeedRate before) {
        boolean decreases = rate.isSignificantlyBelow(before);
        return add(text(name, rate) + " not below " + text(other, before), !decreases, decreases);
    }

    /** The last of some rates above the first, and none below the one before. */
    public void grows(List<String> names, List<SeedRate> rates) {
        below(names.getFirst(), rates.getFirst(), names.getLast(), rates.getLast());
        for (int i = 1; i < names.size(); i++) {
            notBelow(names.get(i), rates.get(i), names.get(i - 1), rates.get(i - 1));
        }
    }

    /** A rate of at least a bound. */
    public Judgement atLeast(String name, SeedRate rate, double bound) {
        return add(
                text(name, rate) + " >= " + bound,
                rate.interval().low() >= bound,
                rate.interval().high() < bound);
    }

    /** A rate above a bound. */
    public Judgement above(String name, SeedRate rate, double bound) {
        return add(
                text(name, rate) + " > " + bound,
                rate.interval().low() > bound,
                rate.interval().high() < bound);
    }

    /** A rate below a bound. */
    public Judgement below(String name, SeedRate rate, double bound) {
        return add(
                text(name, rate) + " < " + bound,
                rate.interval().high() < bound,
                rate.interval().low() > bound);
    }

    /** A rate of 1. */
    public Judgement isOne(String name, SeedRate rate) {
        return add(text(name, rate) + " = 1", rate.value() == 1, rate.value() < 1);
    }

    /** An interval between two bounds. */
    public Judgement within(String text, Interval interval, double low, double high) {
        return add(
                text, interval.low() >= low && interval.high() <= high, interval.low() > high || interval.high() < low);
    }

    /** Something that holds in every one of the seeds, or fails in every one. */
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

    /** A name with a figure and its interval, each in a format such as %.3f. */
    public static String text(String name, String format, double value, Interval interval) {
        String figures = String.join("", " ", format, " [", format, ", ", format, "]");
        return name + String.format(Locale.ROOT, figures, value, interval.low(), interval.high());
    }

    /** Adds the mean of a figure over the runs of a model, with Student's interval. */
    public void measureMean(String name, List<CellRecord> runs, ToDoubleFunction<CellRecord> figure) {
        double[] values = runs.stream().mapToDouble(figure).toArray();
        double mean = DoubleStream.of(values).average().orElse(Double.NaN);
        Interval interval = values.length > 1 ? Interval.mean(values) : Interval.exact(mean);
        measured.add(new Measurement(name, mean, "", interval, values.length, null));
    }

    /** Adds a figure. */
    public void measure(Measurement measurement) {
        measured.add(measurement);
    }

    /** Adds a rate that the paper has no figure of. */
    public void measure(String name, SeedRate rate) {
        measured.add(rate.measured(name, null));
    }

    /** Adds a rate beside the paper's figure. */
    public void measure(String name, SeedRate rate, Relation relation, double paper) {
        measured.add(rate.measured(name, new Reference(relation, paper)));
    }

    /** Adds a picture. */
    public void show(Figure figure) {
        figures.add(figure);
    }

    /** Adds a seed that was drawn from, beside those of the cells. */
    public void drewFrom(long seed) {
        seeds.add(seed);
    }

    /** Where a figure lies beside that of a trivial answer if it was learned. */
    public enum Side {
        ABOVE,
        BELOW,
        APART
    }

    /**
     * Names answers that take no learning beside a figure of models, which have learned if its 95% interval, over seeds
     * and test cases, is apart from that of every answer, on the side named. If that is not so of one figure, the claim
     * decides nothing. The figure is measured, with "learned: " before its name.
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

    /** The same of a rate, which is above if it was learned. */
    public void learned(String name, SeedRate rate, List<TrivialAnswer> answers) {
        learned(rate.measured(name, null), Side.ABOVE, answers);
    }

    /** Names a trivial answer that no figure has to be apart from. */
    public void named(TrivialAnswer answer) {
        if (!trivial.contains(answer)) {
            trivial.add(answer);
        }
    }

    /**
     * Not learned if a figure is not apart from a trivial answer; else refuted by an inequality that fails; else
     * undecided by one that the intervals leave open, or if there is none at all.
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

    /** How far figures are from those that the paper gives as "about"; they decide nothing. */
    private String distances() {
        return measured.stream().map(Judgement::distance).collect(Collectors.joining());
    }

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

    /**
     * The finding with all that was measured.
     *
     * @param ofCells the seeds of the cells
     */
    public Finding finding(List<Long> ofCells) {
        Verdict verdict = verdict();
        return new Finding(
                new Verdict(verdict.outcome(), verdict.reason() + distances()),
                measured,
                Stream.concat(ofCells.stream(), seeds.stream()).toList(),
                figures,
                trivial);
    }
}
