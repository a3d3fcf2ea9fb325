package org.lemmata.claim.parity;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;

/**
 * Kim and Suzuki (2024), lemma 9: over the samples all non-trivial products of up to four nodes are nearly 0. Equal
 * factors cancel, so that the sets of one to four nodes are all there is.
 */
final class Concentration implements ComputedClaim {

    private static final long SEED = 9_000;

    private static final List<Double> PROBABILITIES = List.of(0.01, 0.1, 0.5);

    @Override
    public Statement statement() {
        return new Statement(
                "parity.lemma-9",
                new Source(Paper.PARITY, "lemma 9"),
                Form.AS_STATED,
                "With probability at least 1 - p, |<x_j1, ..., x_jr>| / n is at most sqrt((2 / n) log(32 d⁴ / p)) for"
                        + " all non-trivial products of r up to 4 nodes.");
    }

    @Override
    public String range(Budget budget) {
        return "d = k = 8 and d = 16, k = 8, n = 500: all products, " + draws(budget) + " draws each; p = "
                + PROBABILITIES;
    }

    private static int draws(Budget budget) {
        return budget.of(100, 1_000, 10_000);
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        return check(draws(budget), 1);
    }

    /** @param factor of the bound */
    static Finding check(int draws, double factor) {
        var tally = new Tally();
        int n = 500;
        for (int d : new int[] {8, 16}) {
            double[] maxima = IntStream.range(0, draws)
                    .mapToDouble(draw -> maximum(ParityDraw.of(d, 8, n, 1, SEED + draw)))
                    .toArray();
            for (double p : PROBABILITIES) {
                double bound = factor * Math.sqrt(2.0 / n * Math.log(32 * Math.pow(d, 4) / p));
                int beyond = (int)
                        Arrays.stream(maxima).filter(maximum -> maximum > bound).count();
                Interval interval = Interval.proportion(draws, beyond);
                tally.require(
                        interval.low() <= p,
                        () -> "d = " + d + ", p = " + p + ": beyond " + bound + " in " + beyond + " of " + draws
                                + " draws");
                tally.measure(Measurement.share("draws beyond the bound, d = " + d + ", p = " + p, draws, beyond));
            }
            double greatest = Arrays.stream(maxima).max().orElseThrow();
            tally.measure(Measurement.exact("maximum of |<...>| / n, d = " + d, greatest, "", draws));
        }
        return tally.finding("no more draws than p are beyond the bound", SEED, SEED + draws - 1);
    }

    /**
     * The maximum of |&lt;x_j1, ..., x_jr&gt;| / n over the sets of one to four nodes whose product is not always 1.
     */
    static double maximum(ParityDraw draw) {
        ParityTree tree = draw.tree();
        int nodes = tree.nodes();
        long[] supports = IntStream.rangeClosed(1, nodes)
                .mapToLong(node -> tree.support(node)[0])
                .toArray();
        int maximum = 0;
        for (int a = 0; a < nodes; a++) {
            maximum = Math.max(maximum, Math.abs(draw.signs().sumOfProducts(a)));
            for (int b = 0; b < a; b++) {
                maximum = product(draw.signs(), supports, maximum, a, b);
                for (int c = 0; c < b; c++) {
                    maximum = product(draw.signs(), supports, maximum, a, b, c);
                    for (int e = 0; e < c; e++) {
                        maximum = product(draw.signs(), supports, maximum, a, b, c, e);
                    }
                }
            }
        }
        return (double) maximum / draw.signs().samples();
    }

    private static int product(SignColumns signs, long[] supports, int maximum, int... set) {
        long support = 0;
        for (int node : set) {
            support ^= supports[node];
        }
        return support == 0 ? maximum : Math.max(maximum, Math.abs(signs.sumOfProducts(set)));
    }
}
