package org.lemmata.claim.length;

import java.util.List;
import java.util.random.RandomGenerator;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Tally;
import org.lemmata.construct.length.GeneralizationBound;
import org.lemmata.setting.Settings;

/**
 * Izzo, Nichani and Lee (2025), theorem 4.1 with L as it is defined there, for any constants C1 of N and C2 of the
 * error: L has neither the residual nor the unembedding in it, and either of them makes a counterexample for each C1
 * and C2.
 *
 * <p>With a residual and no feed-forward part L = 0, so that N = C1 2^(p / gamma) whatever Delta is. Where Delta is
 * above N, no input of N tokens has the residue on which f and g differ. With a tent L is that of any unembedding, and
 * the tent is as high as the unembedding is long, and hidden from inputs of N tokens.
 */
final class Theorem41BoundPrinted {

    static final long SEED = 4_121;

    /** Of the tent: of height kappa |u| / (2M), of which inputs that are drawn show more than a quarter. */
    private static final double KAPPA = 0.25;

    private static final double EPSILON = 0.5;

    /** Tokens up to which all inputs of pairs with many residues are looked at. */
    private static final int LOOKED = 10;

    static final ComputedClaim CLAIM = ComputedClaim.printed(
                    "length.theorem-4.1.bound.printed", Theorem41Cases.BOUND, """
                    There is an N <= C1 max(2^(p / gamma), tau Delta L² / epsilon²), L the maximum |A|_F |B|_F |V
                      E_s|, such
                    that |f - g| <= delta on all inputs of at most N tokens gives |f - g| <= C2 (delta + epsilon) on
                      all; for
                    some constants C1 and C2.
                    """)
            .settings("""
                C1 | 1..20 | 1,3,10 | constants of N
                C2 | [1, 10000] | 1,10,100 | constants of delta + epsilon
                """)
            .range("""
                two pairs for each of C1 = {C1} and C2 = {C2}: with a residual, L = 0 and Delta = 2 C1 + 1; with a
                tent and an unembedding that grows with C1 C2; delta over all inputs up to N, or to
                """ + LOOKED + " tokens where f and g cannot differ up to N; then 3,000 random longer ones")
            .test((scope, computation) -> check(pairs(scope.settings())));

    private Theorem41BoundPrinted() {}

    /**
     * A pair for two constants.
     *
     * @param n C1 max(2^(p / gamma), tau Delta L² / epsilon²)
     */
    record Pair(Theorem41Pair pair, int c1, double c2, long n) {

        static Pair of(Theorem41Pair pair, int c1, double c2) {
            return new Pair(pair, c1, c2, c1 * GeneralizationBound.printed(pair.f(), pair.g(), pair.epsilon()));
        }

        String text() {
            return pair.name() + ", C1 = " + c1 + ", C2 = " + c2 + ", N = " + n;
        }
    }

    private static List<Pair> pairs(Settings settings) {
        return settings.each("C1", "C2").stream()
                .flatMap(
                        one -> List.of(
                                residual(one.integer("C1"), one.number("C2")),
                                tent(one.integer("C1"), one.number("C2")))
                                .stream())
                .toList();
    }

    /** L = 0: N = 2 C1, below Delta, and the error is 1 for any epsilon. */
    static Pair residual(int c1, double c2) {
        Theorem41Pair pair = Theorem41Pair.ofOneResidue(2 * c1 + 1, 0, 1 / (4 * c2));
        return Pair.of(new Theorem41Pair(pair.name(), pair.f(), pair.g(), pair.epsilon(), LOOKED), c1, c2);
    }

    /** N does not depend on |u|; a tent of height 4 C2 epsilon is hidden from it. */
    static Pair tent(int c1, double c2) {
        Theorem41Pair any = Theorem41Pair.hidden(1, 1, KAPPA, 1);
        int n = Math.toIntExact(c1 * GeneralizationBound.printed(any.f(), any.g(), EPSILON));
        Theorem41Pair pair = Theorem41Pair.hidden(n, 8 * n * c2 * EPSILON / KAPPA, KAPPA, 1);
        return Pair.of(new Theorem41Pair(pair.name(), pair.f(), pair.g(), EPSILON, pair.looked()), c1, c2);
    }

    static Finding check(List<Pair> pairs) {
        RandomGenerator random = Tally.random(SEED);
        var tally = new Tally();
        for (Pair one : pairs) {
            Theorem41Pair.Agreement agreement = one.pair().agreement(one.n(), random);
            double delta = agreement.delta(one.n());
            double over = agreement.anywhere() / (one.c2() * (delta + one.pair().epsilon()));
            tally.require(
                    over <= 1,
                    () -> one.text() + ": |f - g| <= " + delta + " up to N, and " + agreement.anywhere()
                            + " beyond, epsilon = " + one.pair().epsilon());
            tally.atMost("|f - g| over C2 (delta + epsilon), " + one.text(), over, "", 1, 1);
        }
        return tally.finding("no pair differs by more than C2 (delta + epsilon)", SEED);
    }
}
