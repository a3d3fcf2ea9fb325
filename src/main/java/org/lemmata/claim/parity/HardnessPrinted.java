package org.lemmata.claim.parity;

import java.util.List;
import java.util.Locale;
import org.lemmata.claim.Finding;
import org.lemmata.claim.FixedClaim;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement;

/**
 * Theorem 1 for every output f. The sign of the sum of all parities asks the oracle nothing, and since it is symmetric
 * it is as often right for every target: 1/2 + E|mean over P of p(x)| / 2 of all x, which falls like 2^(-d/2) and not
 * like e^-d.
 */
final class HardnessPrinted {

    private static final List<Integer> SIZES = List.of(8, 16, 32, 64, 128);

    /** What O(e^-d) may hide: so many times the constant that d = 8 takes. */
    private static final double CONSTANT = 1000;

    static final FixedClaim CLAIM = new FixedClaim(
            new Statement(
                    "parity.theorem-1.printed",
                    new Source(Paper.PARITY, "theorem 1"),
                    Form.PRINTED,
                    "As printed, for every output: its 0-1 error is at least 1/2 - O(e^-d); read as at most 1000 times"
                            + " the constant that d = 8 takes."),
            "the sign of the sum of all parities, k = d / 2, d = " + SIZES + "; exactly, and at d = 8 by all x, too",
            computation -> check(HardnessPrinted::advantage));

    private HardnessPrinted() {}

    /** 1/2 less the error. */
    interface Advantage {
        double at(int bits);
    }

    static double advantage(int bits) {
        return ParityClass.meanAbsolute(bits, bits / 2) / 2;
    }

    static Finding check(Advantage advantages) {
        var tally = new Tally();
        int first = SIZES.getFirst();
        double constant = CONSTANT * advantages.at(first) * Math.exp(first);
        for (int d : SIZES) {
            double advantage = advantages.at(d);
            double bound = constant * Math.exp(-d);
            tally.require(
                    advantage <= bound,
                    () -> String.format(
                            Locale.ROOT,
                            "d = %d: right on 1/2 + %.3g of all x for every target, allowed 1/2 + %.3g",
                            d,
                            advantage,
                            bound));
            tally.measure(Measurement.exact("1/2 less the error, d = " + d, advantage, "probability", d + 1L));
        }
        return tally.finding("the error is 1/2 - O(e^-d)");
    }
}
