package org.lemmata.claim.length;

import java.util.Arrays;
import java.util.List;
import org.lemmata.claim.FixedClaim;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.construct.length.GeneralizationBound;

/**
 * Izzo, Nichani and Lee (2025), theorem 4.1 as printed, of one head and relu: L has neither the unembedding nor the
 * residual in it, so no constant will do, and with either left out alone none does.
 *
 * <p>Pairs that agree on all inputs of at most N tokens, N the printed bound of some epsilon, are looked for in two
 * families. In one the unembedding grows: N stays, and what differs beyond N grows with it. In the other it is a unit
 * vector, and the residual carries the attention past a feed-forward part of norm |A|_F |B|_F = 0 or 0.01, or past
 * none: N stays at the hardmax length whatever Delta is, and where it is below Delta no input of N tokens has the
 * residue on which f and g differ.
 */
final class Theorem41BoundPrinted {

    private static final double KAPPA = 0.25;

    private static final double[] PRODUCTS = {0, 0.01};

    static final FixedClaim CLAIM = new FixedClaim(
            new Statement(
                    "length.theorem-4.1.bound.printed",
                    Theorem41Cases.BOUND,
                    Form.PRINTED,
                    "If |f - g| <= delta on all inputs of at most N = O(max(2^(p / gamma), tau Delta L² / epsilon²))"
                            + " tokens, L the maximum |A|_F |B|_F |V E_s|, then |f - g| = O(delta + epsilon) on all;"
                            + " both constants read as 1; of transformers of one head, with relu."),
            """
            epsilon | [0.01, 0.5] | 0.1 | by which f and g may differ beyond N
            u | [1, 1000000] | 1,10,100,1000 | norm of the unembedding of pairs with a tent
            period | 3..256 | 3,10,64 | Delta of pairs that differ at one residue
            """,
            "pairs with a tent that no input of at most N tokens shows, epsilon = {epsilon}, |u| = {u}; pairs that"
                    + " differ at one residue of Delta = {period}, |u| = 1, with a residual and |A| |B| = "
                    + Arrays.toString(PRODUCTS)
                    + "; delta over all inputs up to N, then 3,000 random longer ones",
            (settings, computation) -> {
                double epsilon = settings.number("epsilon");
                return Theorem41Bound.check(
                        List.of(),
                        residual(settings.integers("period"), epsilon),
                        settings.numbers("u").stream()
                                .map(u -> pair(u, epsilon))
                                .toList(),
                        Theorem41BoundPrinted::printed);
            });

    private Theorem41BoundPrinted() {}

    /** With an unembedding of norm 1 and a residual. */
    static List<Theorem41Pair> residual(List<Integer> periods, double epsilon) {
        return periods.stream()
                .flatMap(period -> Arrays.stream(PRODUCTS)
                        .mapToObj(product -> Theorem41Pair.ofOneResidue(period, product, epsilon)))
                .toList();
    }

    /** With a tent that is hidden up to the printed bound, which does not depend on u. */
    static Theorem41Pair pair(double readout, double epsilon) {
        Theorem41Pair any = Theorem41Pair.hidden(1, readout, KAPPA, 1);
        int n = Math.toIntExact(GeneralizationBound.printed(any.f(), any.g(), epsilon));
        Theorem41Pair pair = Theorem41Pair.hidden(n, readout, KAPPA, 1);
        return new Theorem41Pair(pair.name(), pair.f(), pair.g(), epsilon, pair.looked());
    }

    static long printed(Theorem41Pair pair) {
        return GeneralizationBound.printed(pair.f(), pair.g(), pair.epsilon());
    }
}
