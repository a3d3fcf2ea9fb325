package org.lemmata.claim.length;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.Tally;
import org.lemmata.claim.Verdict;

/**
 * Izzo, Nichani and Lee (2025), theorem 4.1: the auxiliary string as printed, whose errors are O(L epsilon).
 *
 * <p>O is read as 2, the constant of the corrected string; that no constant will do shows in errors that stay where
 * they are as epsilon falls. Each of the two gaps ({@link StringGap}), its length and positions, is looked for by
 * itself: the pair of the maximum error at epsilon = 0.05 is followed to smaller ones.
 */
final class Theorem41StringPrinted {

    static final long SEED = 4_110;

    static final ComputedClaim CLAIM = ComputedClaim.printed(
                    "length.theorem-4.1.string.printed", Theorem41Cases.STRING, """
                    The string z of appendix A.1, of O(tau / epsilon²) tokens, has |f(x) - f(z)| and |g(x) - g(z)| = O(L
                    epsilon), with (token, residue) pairs as tokens. A step of the proof of theorem 4.1: at epsilon =
                    0.05, 0.02 and 0.01 an error above 2 L epsilon stays where it is.
                    """)
            .settings("""
                epsilon | [0.005, 0.5] | 0.05,0.02,0.01 | the first is looked at in all draws, and its worst one
                  followed to the others
                """)
            .byBudget("seeds | 1..100000 | draws of (f, g, x) for each gap", "200", "2000", "10000")
            .range(scope -> scope.integer("seeds")
                    + " random (f, g, x) of four classes for each of two gaps at the first epsilon of"
                    + " {epsilon}, tau = 0 read as 1; the maximum error followed to the others; f and g"
                    + " evaluated on the sequences x and z in binary64")
            .test((scope, computation) -> check(scope.integer("seeds"), scope.numbers("epsilon"), StringGap.all()));

    private Theorem41StringPrinted() {}

    static Finding check(int count, List<Double> epsilons, List<StringGap> gaps) {
        double first = epsilons.getFirst();
        RandomGenerator random = Tally.random(SEED);
        var tally = new Tally();
        var lasting = new ArrayList<String>();
        for (StringGap gap : gaps) {
            int above = 0;
            StringGap.Draw worst = gap.draw(random);
            double maximum = -1;
            for (int i = 0; i < count; i++) {
                StringGap.Draw draw = gap.draw(random);
                StringGap.Result result = draw.at(first);
                above += result.excess() > 1 ? 1 : 0;
                if (result.error() > maximum) {
                    maximum = result.error();
                    worst = draw;
                }
            }
            tally.atMost(gap.label() + ": maximum error over L, epsilon = " + first, maximum, "", count, 2 * first);
            StringGap.Result last = worst.at(first);
            for (double epsilon : epsilons.subList(1, epsilons.size())) {
                last = worst.at(epsilon);
                tally.atMost(
                        gap.label() + ": its error over L, epsilon = " + epsilon, last.error(), "", 1, 2 * epsilon);
            }
            tally.count(gap.label() + ": errors above 2 L epsilon", above, count);
            if (last.excess() > 1) {
                lasting.add(gap.label() + ": " + worst + ", epsilon = " + last.epsilon() + ", " + last.text());
            }
        }
        Verdict verdict = lasting.isEmpty()
                ? new Verdict(Outcome.SUPPORTED, "no error stays above 2 L epsilon as epsilon falls")
                : new Verdict(Outcome.REFUTED, String.join("; ", lasting));
        return tally.finding(verdict, SEED);
    }
}
