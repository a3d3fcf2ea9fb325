package org.lemmata.claim;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The inequalities that a paper's sentence comes to, each with what the measured intervals say of it. */
public final class Inequalities {

    private final List<String> held = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private final List<String> open = new ArrayList<>();

    /**
     * Adds one.
     *
     * @param text names both sides, with their figures
     * @param holds whether it holds wherever in their intervals the true values are
     * @param fails whether it fails wherever they are
     */
    public Inequalities add(String text, boolean holds, boolean fails) {
        (holds ? held : fails ? failed : open).add(text);
        return this;
    }

    /** One rate below another. */
    public Inequalities below(String lesser, SeedRate a, String greater, SeedRate b) {
        return add(text(lesser, a) + " < " + text(greater, b), a.isSignificantlyBelow(b), b.isSignificantlyBelow(a));
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

    /** Refuted by one that fails, else undecided by one that the intervals leave open, or if there is none at all. */
    public Verdict verdict() {
        if (!failed.isEmpty()) {
            return new Verdict.Refuted("does not hold: " + String.join("; ", failed));
        }
        if (!open.isEmpty()) {
            return new Verdict.Inconclusive("the intervals leave open: " + String.join("; ", open));
        }
        if (held.isEmpty()) {
            return new Verdict.Inconclusive("nothing was compared");
        }
        return new Verdict.Supported(String.join("; ", held));
    }
}
