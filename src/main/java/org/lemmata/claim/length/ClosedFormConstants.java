package org.lemmata.claim.length;

import java.util.List;
import org.lemmata.claim.Tally;
import org.lemmata.construct.length.LimitFunction;
import org.lemmata.construct.length.LogitMargin;

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

    /** Adds the constants of closed forms; each that is above its bound is a counterexample. */
    static void add(List<Case> cases, Tally tally) {
        for (Case one : cases) {
            String name = one.name();
            LimitFunction function = one.function();
            long hardmaxLength = LogitMargin.hardmaxLength(function.attention());
            tally.atMost("hardmax length, " + name, (double) hardmaxLength, "tokens", 1, MIN_LENGTH);
            tally.atMost("L, " + name, function.norm(), "", 1, one.norm());
            tally.atMost("L as printed, " + name, function.printedNorm(), "", 1, one.norm());
            tally.require(
                    hardmaxLength <= MIN_LENGTH && function.norm() <= one.norm(),
                    () -> name + ": hardmax from " + hardmaxLength + " tokens on, L = " + function.norm() + " against "
                            + one.norm());
        }
    }
}
