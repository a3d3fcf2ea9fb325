package org.lemmata.claim.length;

import java.util.ArrayList;
import java.util.List;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.Verdict;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.LogitMargin;
import org.lemmata.statistic.Measurement;

/**
 * What theorem 4.1 asks of the closed forms: H, from which on they are hardmax, and L.
 *
 * <p>Both have scores p and 0 at p bits, so that H = 2: the remarks after the theorem say that hardmax may come at
 * small lengths, and section 5 that L = Theta(1) for ModPTask.
 */
final class ClosedFormConstants {

    /** Two tokens: one is hardmax in any case. */
    private static final long MIN_LENGTH = 2;

    private ClosedFormConstants() {}

    /**
     * A closed form.
     *
     * @param name what tells it from others, "Delta = 2"
     * @param norm what L is at most
     */
    record Case(String name, LimitFunction function, double norm) {}

    /** A finding with the constants of closed forms; refuted where one of them is above its bound. */
    static Finding added(Finding finding, List<Case> cases) {
        List<Measurement> measured = new ArrayList<>(finding.measured());
        List<String> counterexamples = new ArrayList<>();
        for (Case one : cases) {
            String name = one.name();
            LimitFunction function = one.function();
            long hardmaxLength = LogitMargin.hardmaxLength(function.attention());
            measured.add(Measurement.exactAtMost(
                    "hardmax length, " + name, (double) hardmaxLength, "tokens", 1, MIN_LENGTH));
            measured.add(Measurement.exactAtMost("L, " + name, function.norm(), "", 1, one.norm()));
            measured.add(Measurement.exactAtMost("L as printed, " + name, function.printedNorm(), "", 1, one.norm()));
            if (hardmaxLength > MIN_LENGTH || !(function.norm() <= one.norm())) {
                counterexamples.add(name + ": hardmax from " + hardmaxLength + " tokens on, L = " + function.norm()
                        + " against " + one.norm());
            }
        }
        boolean refuted = finding.verdict().outcome() == Outcome.SUPPORTED && !counterexamples.isEmpty();
        return new Finding(refuted ? Verdict.of(counterexamples, "") : finding.verdict(), measured, finding.seeds());
    }
}
