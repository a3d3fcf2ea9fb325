package org.lemmata.claim.hierarchy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Figure;
import org.lemmata.claim.Finding;
import org.lemmata.claim.NotTested;
import org.lemmata.claim.Sequences;
import org.lemmata.claim.Tally;
import org.lemmata.construct.hierarchy.OrderingBound;
import org.lemmata.construct.hierarchy.WithoutStart;
import org.lemmata.model.LanguageModel;
import org.lemmata.model.ReferenceTransformer;
import org.lemmata.setting.Settings;
import org.lemmata.task.hierarchy.BracketTokens;
import org.lemmata.task.hierarchy.GenerationProcess;
import org.lemmata.token.Batch;

/** Hayakawa and Sato (2024), propositions 5 and 6, and the probability of corollary 1. */
final class Bounds {

    private static final long SEED = 2_405;

    private static final int POINTS = 20_000;

    static final ComputedClaim PROPOSITION_5 = ComputedClaim.corrected("hierarchy.proposition-5", "proposition 5", """
        For k >= 2 and a small enough tolerance, a generator of Shuffle-Dyck_k for at least floor(k / 2) brackets has a
        width of at least (k - log2(k + 1)) / (2 log2 k). The reason: for each pair of types, the hidden vectors with
        equal logits of the two closing brackets form a hyperplane. Each set of floor(k / 2) open types needs its own
        region between these k (k - 1) / 2 hyperplanes. The paper states only the order k / log k. Read as: the least
        width with as many regions as sets is at least this value. No generator is tested; the reason is proved.
        """)
            .settings("k | 2..1024 | 2..256 | types")
            .range("the least d for every k of {k}, in integers; regions that " + POINTS
                    + " random points meet, for 3 to 5 types in 1 to 3 columns")
            .test((scope, computation) -> width(scope.integers("k")));

    static final ComputedClaim PROPOSITION_6 = ComputedClaim.corrected("hierarchy.proposition-6", "proposition 6", """
        Let all embeddings be distinct and have the same norm. Without <bos>, one layer outputs 1 at the first token and
        0 at all others, for every string of up to n tokens whose first two tokens differ. If the entries of embeddings
        are 1 and -1, its threshold is eps = 1 - 1 / sqrt(1 + 4 / n²). Beyond the paper: this value is sharp. With
        an eps that is 2% larger, some output is wrong (at n = 200, by more than 1e-3).
        """)
            .paper("states it for strings of every length, with one \"sufficiently small\" eps")
            .settings("""
                k | 1..5 | 1,2,3 | bracket types
                maxLength | 2..12 | | of the strings; by default 10 for k = 1, 6 for k = 2 and 4 for more
                length | 2..1000 | 200 | of the two strings at which eps is tested
                """)
            .range("""
                every string of 2 to 10 brackets for k = 1, to 6 for k = 2 and to 4 for more, or to maxLength, whose
                first two differ, k = {k}; a length of {length}
                """)
            .test((scope, computation) -> pseudoStart(scope.settings()));

    static final ComputedClaim PROBABILITY = ComputedClaim.corrected(
                    "hierarchy.corollary-1.probability", "corollary 1", """
                    If all k types of opening brackets are equally likely (uniform pi), the first two tokens of a word
                    from the Dyck_k process differ with probability 1 - r q / k. Here r and q are the probabilities of
                    an opening bracket at depth 0 and above it. The probability is at least 1 - 1/k.
                    """)
            .settings("""
                k | 1..1024 | 1,2,4,8,16 | bracket types
                q | (0, 1) | 0.1,0.5,0.9 | probability of an opening bracket
                r | (0, 1) | 0.1,0.5,0.9 | probability that a balanced word goes on
                """)
            .range("k = {k}; q of {q} and r of {r}")
            .test((scope, computation) -> differ(scope.settings()));

    static final ComputedClaim PROBABILITY_PRINTED = ComputedClaim.printed(
                    "hierarchy.corollary-1.probability.printed", "corollary 1 and appendix M", """
                    In a word of the Dyck_k process, the probability of the same opening bracket as the first one is
                    r/k, and "the first two characters are different with at least a probability of 1 - 1/k".
                    """)
            .untested(NotTested.HYPOTHESIS.because(
                    "r/k presupposes that all types are equally likely, which corollary 1 does not state; for such pi,"
                            + " the second part holds (hierarchy.corollary-1.probability)"));

    private static Finding width(List<Integer> sizes) {
        var tally = new Tally();
        Tally.Extreme least = tally.atLeast("least width over (k - log2(k + 1)) / (2 log2 k)", "", 1);
        List<Double> types = new ArrayList<>();
        List<Double> widths = new ArrayList<>();
        for (int k : sizes) {
            int width = OrderingBound.leastWidth(k);
            tally.require(
                    width == 0
                            || OrderingBound.regions(width - 1, k * (k - 1) / 2).compareTo(OrderingBound.orders(k)) < 0,
                    () -> "k = " + k + ": " + (width - 1) + " columns have regions enough");
            tally.require(width <= 3 * k + 1, () -> "k = " + k + ": the generator of proposition 4 is too narrow");
            double bound = (k - Figure.log2(k + 1)) / (2 * Figure.log2(k));
            least.add(width / bound, () -> "k = " + k + ": " + width + " columns may do, below " + bound);
            types.add((double) k);
            widths.add((double) width);
        }
        meetRegions(tally);
        var figure = new Figure(
                "Least width of a generator of Shuffle-Dyck_k",
                "by the counting of proposition 5; the generator of proposition 4 has 3k + 1 columns",
                "k",
                "columns",
                List.of(new Figure.Series("least width", types, widths)));
        Finding finding = tally.finding("the least width keeps above (k - log2(k + 1)) / (2 log2 k)", SEED);
        return finding.showing(figure);
    }

    /** Requires that random points in d columns give at most as many orders of k logits as there are regions. */
    private static void meetRegions(Tally tally) {
        RandomGenerator random = Tally.random(SEED);
        for (int types = 3; types <= 5; types++) {
            for (int width = 1; width <= 3; width++) {
                double[][] rows = new double[types][];
                for (int type = 0; type < types; type++) {
                    rows[type] = random.doubles(width, -1, 1).toArray();
                }
                Set<List<Boolean>> met = new HashSet<>();
                for (int point = 0; point < POINTS; point++) {
                    met.add(signs(rows, random.doubles(width, -1, 1).toArray()));
                }
                BigInteger regions = OrderingBound.regions(width, types * (types - 1) / 2);
                String name = types + " types in " + width + " columns";
                tally.require(
                        BigInteger.valueOf(met.size()).compareTo(regions) <= 0,
                        () -> name + ": " + met.size() + " orders");
                tally.atMost("orders met, " + name, met.size(), "orders", POINTS, regions.doubleValue());
            }
        }
    }

    private static List<Boolean> signs(double[][] rows, double[] point) {
        Boolean[] signs = new Boolean[rows.length * (rows.length - 1) / 2];
        int at = 0;
        for (int i = 0; i < rows.length; i++) {
            for (int j = 0; j < i; j++) {
                double difference = 0;
                for (int d = 0; d < point.length; d++) {
                    difference += (rows[i][d] - rows[j][d]) * point[d];
                }
                signs[at++] = difference > 0;
            }
        }
        return List.of(signs);
    }

    private static Finding pseudoStart(Settings settings) {
        var tally = new Tally();
        Tally.Extreme differences = tally.below("difference from 1, 0, 0, ...", "", 1e-9);
        for (int types : settings.integers("k")) {
            var tokens = new BracketTokens(types);
            int longest = settings.given("maxLength").orElse(types == 1 ? 10 : types == 2 ? 6 : 4);
            LanguageModel model = new ReferenceTransformer(WithoutStart.pseudoStart(tokens, longest, 1));
            for (int[] string : Sequences.every(2 * types, longest)) {
                if (string[0] != string[1]) {
                    double off = difference(model, string);
                    differences.add(off, () -> "'" + tokens.text(string) + "' is off by " + off);
                }
            }
        }
        int length = settings.integer("length");
        int[] close = new int[length];
        close[0] = 1;
        var tokens = new BracketTokens(1);
        double atLength = difference(new ReferenceTransformer(WithoutStart.pseudoStart(tokens, length, 1)), close);
        differences.add(atLength, () -> "at length " + length + " a start is off by " + atLength);
        double beyond = difference(new ReferenceTransformer(WithoutStart.pseudoStart(tokens, length, 1.02)), close);
        tally.require(beyond > 1e-3, () -> "eps that is 2% greater makes no false start");
        tally.atLeast("false start with eps 2% greater", beyond, "", 1, 1e-3);
        return tally.finding("only the first token is marked as the start");
    }

    private static double difference(LanguageModel model, int... string) {
        double[] starts = model.logits(Batch.of(List.of(string)));
        starts[0] -= 1;
        return Arrays.stream(starts).map(Math::abs).max().orElseThrow();
    }

    private static Finding differ(Settings settings) {
        var tally = new Tally();
        long count = 0;
        double least = Double.POSITIVE_INFINITY;
        for (Settings one : settings.each("k", "q", "r")) {
            int k = one.integer("k");
            double q = one.number("q");
            double r = one.number("r");
            double same = same(GenerationProcess.dyck(k, q, r));
            double excess = 1 - same - (1 - 1.0 / k);
            tally.require(
                    excess >= 0,
                    () -> "k = " + k + ", q = " + q + ", r = " + r + ": they are alike with probability " + same);
            tally.require(Math.abs(same - r * q / k) < 1e-12, () -> "k = " + k + ": " + same);
            least = Math.min(least, excess);
            count++;
        }
        tally.measure("least excess over 1 - 1/k", least, "probability", count);
        return tally.finding("the first two tokens differ often enough");
    }

    /** The probability that the second token is the same opening bracket as the first. */
    private static double same(GenerationProcess process) {
        double same = 0;
        for (int type = 0; type < process.tokens().types(); type++) {
            int open = process.tokens().open(type);
            same += process.next()[open] * process.next(open)[open];
        }
        return same;
    }
}
