package org.lemmata.claim.length;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.construct.length.GeneralizationBound;
import org.lemmata.setting.Settings;

/**
 * Izzo, Nichani and Lee (2025), theorem 4.1, with the constants of {@link GeneralizationBound}.
 *
 * <p>delta is the exact maximum of |f - g| over all inputs of at most N tokens ({@link EveryInput}). For some pairs,
 * delta is computed only up to a length below N, which makes the test stricter. Longer inputs are sampled. Random pairs
 * are not chosen to agree. Three families of pairs ({@link Theorem41Pair#late}, {@link Theorem41Pair#hidden},
 * {@link Theorem41Pair#nested}) differ by features that short inputs cannot show; for each of these pairs, the smallest
 * N that would suffice is also measured.
 */
final class Theorem41Bound {

    static final long SEED = 4_120;

    private static final double ROUNDING = 1e-12;

    static final ComputedClaim CLAIM = ComputedClaim.corrected("length.theorem-4.1.bound", Theorem41Cases.BOUND, """
        Let f and g be limit transformers with one layer, one head and relu, over a vocabulary Sigma, with
        Delta-periodic positions and score biases that are 0 beyond distance tau. Let H be the length from which the
        attention of both equals hardmax, and e = epsilon / (2 (L_f + L_g)). Let N = max(H + Delta - 1, Delta ceil((1 +
        2 e) (tau + Delta + |Sigma| Delta / 4) / e²) + tau + Delta). If |f - g| <= delta on all inputs of at most N
        tokens, then |f - g| <= delta + epsilon on all inputs.
        """)
            .settings("""
                e | [0.15, 1] | | epsilon / (2 (L_f + L_g)) of random pairs; by default 0.1, 0.15, 0.2 and 0.3 for the
                  four kinds, of which the last takes long with less
                spread | (0, inf) | 0.05 | what values differ by at most in pairs whose values alone differ
                """)
            .byBudget("seeds | 1..1000 | random pairs of each kind", "3", "30", "100")
            .range(scope -> """
                {seeds} random pairs, and as many whose values alone differ, for each of (|Sigma|, Delta, tau) =
                (2, 1, 0), (2, 1, 1), (3, 1, 0), (2, 2, 0) with %s: delta over all inputs up to N, then 3,000
                random ones up to 1,000 N and 1,000 changes of the one that tells most, which hardly tests
                epsilon: by default such pairs use less than a hundredth of it; so pairs that were made to differ
                late, of hardmax length 32 to 256, with a tent that no input of 4, 8, 16 or 32 tokens shows, and
                with two that no input of 9, 16 and 36 tokens shows together
                """.formatted(
                            scope.settings().text("e").map(e -> "e = " + e).orElse("N from 63 to 182")))
            .test(Theorem41Bound::check);

    private static Finding check(Scope scope, Computation computation) {
        DoubleUnaryOperator e =
                scope.settings().hasAny("e") ? any -> scope.number("e") : DoubleUnaryOperator.identity();
        double spread = scope.number("spread");
        RandomGenerator random = Tally.random(SEED);
        List<Theorem41Pair> pairs = new ArrayList<>();
        for (int i = 0; i < scope.integer("seeds"); i++) {
            for (double differing : new double[] {0, spread}) {
                pairs.add(Theorem41Pair.random(2, 1, 0, e.applyAsDouble(0.1), differing, random));
                pairs.add(Theorem41Pair.random(2, 1, 1, e.applyAsDouble(0.15), differing, random));
                pairs.add(Theorem41Pair.random(3, 1, 0, e.applyAsDouble(0.2), differing, random));
                pairs.add(Theorem41Pair.random(2, 2, 0, e.applyAsDouble(0.3), differing, random));
            }
        }
        return check(pairs, late(), hidden(), pair -> pair.bound().corrected());
    }

    static List<Theorem41Pair> late() {
        return List.of(Theorem41Pair.late(5, 0.2), Theorem41Pair.late(6, 0.2), Theorem41Pair.late(8, 0.1));
    }

    static List<Theorem41Pair> hidden() {
        return Stream.concat(
                        IntStream.of(4, 8, 16, 32).mapToObj(m -> Theorem41Pair.hidden(m, 1, 1, 0.9 / (2 * m))),
                        IntStream.of(3, 4, 6).mapToObj(Theorem41Pair::nested))
                .toList();
    }

    static Finding check(
            List<Theorem41Pair> drawn,
            List<Theorem41Pair> late,
            List<Theorem41Pair> hidden,
            ToLongFunction<Theorem41Pair> rule) {
        RandomGenerator random = Tally.random(SEED + 1);
        var tally = new Tally();
        double maximum = 0;
        for (Theorem41Pair pair : drawn) {
            long n = rule.applyAsLong(pair);
            maximum = Math.max(maximum, excess(pair, n, pair.agreement(n, random), tally));
        }
        if (!drawn.isEmpty()) {
            tally.atMost("maximum (|f - g| beyond N - delta) / epsilon, drawn pairs", maximum, "", drawn.size(), 1);
        }
        double made = 0;
        for (Theorem41Pair pair : Stream.of(late, hidden).flatMap(List::stream).toList()) {
            long n = rule.applyAsLong(pair);
            Theorem41Pair.Agreement agreement = pair.agreement(n, random);
            double excess = excess(pair, n, agreement, tally);
            made = Math.max(made, excess);
            tally.atMost("(|f - g| beyond N - delta) / epsilon, " + pair.name(), excess, "", 1, 1);
            int minimum = agreement.minLength(pair.epsilon());
            boolean found = minimum < agreement.upTo().length;
            tally.atMost(
                    "the smallest N that would do" + (found ? ", " : ", or more, ") + pair.name(),
                    minimum,
                    "tokens",
                    1,
                    (double) n);
        }
        return tally.finding(
                "no pair differs by more than delta + epsilon beyond N"
                        + (drawn.isEmpty()
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        "; drawn pairs use %.2g of epsilon at most, pairs that were made to differ late"
                                                + " %.2g",
                                        maximum,
                                        made)),
                SEED,
                SEED + 1);
    }

    private static double excess(Theorem41Pair pair, long n, Theorem41Pair.Agreement agreement, Tally tally) {
        double delta = agreement.delta(n);
        tally.require(
                agreement.anywhere() <= delta + pair.epsilon() + ROUNDING,
                () -> pair.name() + ": |f - g| <= " + delta + " up to " + n + " tokens, and " + agreement.anywhere()
                        + " beyond, epsilon = " + pair.epsilon());
        return (agreement.anywhere() - delta) / pair.epsilon();
    }

    static final long SEED_OF_PRINTED = 4_121;

    /**
     * The slope kappa per |u| of {@link #highTent}. Sampled inputs reach more than a quarter of the tent's height,
     * kappa |u| / (2N).
     */
    private static final double KAPPA = 0.25;

    private static final double EPSILON = 0.5;

    /** The maximum length up to which all inputs are tested for pairs with many residues. */
    private static final int TESTED_LENGTH = 10;

    /**
     * Izzo, Nichani and Lee (2025), theorem 4.1 with L as printed, for any constants C1 of N and C2 of the error. The
     * printed L contains neither the residual nor the unembedding. Each omission leads to a counterexample for all C1
     * and C2.
     *
     * <p>With a residual and no feed-forward part, L = 0, so N = C1 2^(p / gamma) for every Delta. If Delta is above N,
     * no input of at most N tokens has a position with the residue at which f and g differ. In the second
     * counterexample, g is a tent that inputs of N tokens cannot show. The tent's height grows with the unembedding,
     * but L and N do not.
     */
    static final ComputedClaim PRINTED = ComputedClaim.printed(
                    "length.theorem-4.1.bound.printed", Theorem41Cases.BOUND, """
                    There are constants C1 and C2 with this property. Let f and g be any one-layer limit transformers
                    with p bits, margin gamma, Delta-periodic positions and score biases that are 0 beyond distance
                    tau. As printed, let L be the maximum of |A|_F |B|_F |V E_s| over the tokens s of f and g. There is
                    an N <= C1 max(2^(p / gamma), tau Delta L² / epsilon²) such that, if |f - g| <= delta on all inputs
                    of at most N tokens, then |f - g| <= C2 (delta + epsilon) on all inputs.
                    """)
            .settings("""
                C1 | 1..20 | 1,3,10 | constants of N
                C2 | [1, 10000] | 1,10,100 | constants of delta + epsilon
                """)
            .range("""
                two pairs for each of C1 = {C1} and C2 = {C2}: with a residual, L = 0 and Delta = 2 C1 + 1; with a
                tent and an unembedding that grows with C1 C2; delta over all inputs up to N, or to
                """ + TESTED_LENGTH + " tokens where f and g cannot differ up to N; then 3,000 random longer ones")
            .test((scope, computation) -> checkPrinted(pairs(scope.settings())));

    /**
     * A pair f and g that violates the printed bound with the constants C1 and C2.
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
                .flatMap(one -> List.of(
                        ofResidual(one.integer("C1"), one.number("C2")), highTent(one.integer("C1"), one.number("C2")))
                        .stream())
                .toList();
    }

    /** A pair with L = 0: N = 2 C1 is below Delta, and |f - g| reaches 1 beyond N. */
    static Pair ofResidual(int c1, double c2) {
        return Pair.of(Theorem41Pair.ofOneResidue(2 * c1 + 1, 1 / (4 * c2), TESTED_LENGTH), c1, c2);
    }

    /**
     * A pair with a tent of height 4 C2 epsilon that inputs of at most N tokens cannot show. The printed N does not
     * depend on the height, which grows with |u|.
     */
    static Pair highTent(int c1, double c2) {
        Theorem41Pair any = Theorem41Pair.hidden(1, 1, KAPPA, EPSILON);
        int n = Math.toIntExact(c1 * GeneralizationBound.printed(any.f(), any.g(), EPSILON));
        return Pair.of(Theorem41Pair.hidden(n, 8 * n * c2 * EPSILON / KAPPA, KAPPA, EPSILON), c1, c2);
    }

    static Finding checkPrinted(List<Pair> pairs) {
        RandomGenerator random = Tally.random(SEED_OF_PRINTED);
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
        return tally.finding("no pair differs by more than C2 (delta + epsilon)", SEED_OF_PRINTED);
    }
}
