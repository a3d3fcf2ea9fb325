package org.lemmata.claim;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.lemmata.statistic.Measurement;
import org.lemmata.statistic.Measurement.Reference;
import org.lemmata.statistic.Measurement.Relation;

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

    /** One rate below another. */
    public Judgement below(String lesser, SeedRate a, String greater, SeedRate b) {
        return add(text(lesser, a) + " < " + text(greater, b), a.isSignificantlyBelow(b), b.isSignificantlyBelow(a));
    }

    /** One rate not significantly below another, which is so or is not. */
    public Judgement notBelow(String name, SeedRate rate, String other, SeedRate before) {
        boolean decreases = rate.isSignificantlyBelow(before);
        return add(text(name, rate) + " not below " + text(other, before), !decreases, decreases);
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

    /** A name with its rate and interval. */
    public static String text(String name, SeedRate rate) {
        return String.format(
                Locale.ROOT,
                "%s %.3f [%.3f, %.3f]",
                name,
                rate.value(),
                rate.interval().low(),
                rate.interval().high());
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

    /**
     * Names a trivial answer. Where the models are not significantly better than any that is named, they have not
     * learned, and what is said of them stays undecided.
     *
     * @param best the rate of the best of the models
     */
    public void trivial(String name, SeedRate rate, SeedRate best) {
        trivial.add(new TrivialAnswer(name, rate.value()));
        if (!rate.isSignificantlyBelow(best)) {
            unlearned.add(text("the best of the models", best) + " against " + text(name, rate));
        }
    }

    /**
     * Not learned if no trivial answer is beaten; else refuted by an inequality that fails; else undecided by one that
     * the intervals leave open, or if there is none at all.
     */
    public Verdict verdict() {
        if (!trivial.isEmpty() && unlearned.size() == trivial.size()) {
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

    /**
     * The finding with all that was measured.
     *
     * @param ofCells the seeds of the cells
     */
    public Finding finding(List<Long> ofCells) {
        return new Finding(
                verdict(),
                measured,
                Stream.concat(ofCells.stream(), seeds.stream()).toList(),
                figures,
                trivial);
    }
}
