package org.lemmata.claim.length;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Tally;
import org.lemmata.claim.length.Hardmax.LastRow;
import org.lemmata.construct.length.LimitAttention;
import org.lemmata.construct.length.LogitMargin;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;

/** Claims about the logit margin: the distance of thresholded attention from hardmax for random heads. */
final class MarginCases {

    static final String PLACE = "section 3.2, logit margin";

    static final long SEED = 3_210;

    static final int MAX_LENGTH = 256;

    /** Scores and biases are multiples of 1/4, so their sums in binary32 are exact. */
    private static final double GRID = 4;

    static final List<Setting> SETTINGS = Setting.numbers("""
        p | 1..8 | | bits of the thresholded softmax; drawn by default
        period | 1..3 | | Delta; drawn by default
        tau | 0..2 | | the largest distance with a score bias; drawn by default
        heads | 1..100000 | | how many are drawn; by default as the budget has it
        """);

    private static final int SEQUENCES = 4;

    static int count(Scope scope) {
        return scope.integer("heads", scope.of(300, 10_000, 30_000));
    }

    static String range(Scope scope) {
        Settings settings = scope.settings();
        return count(scope) + " random heads of 1 to 3 tokens, Delta = "
                + settings.text("period").orElse("1 to 3") + ", tau = "
                + settings.text("tau").orElse("0 to 2")
                + settings.text("p").map(p -> ", p = " + p).orElse("")
                + ", scores and phi multiples of 1/4, whose hardmax length is at most " + MAX_LENGTH
                + "; sequences of one to all tokens, on the scalar kernel and on the vector kernel";
    }

    /** Random heads. Their values are one-hot vectors of the class, so outputs are the attention per class. */
    static List<LimitAttention> heads(Scope scope, Predicate<LimitAttention> filter) {
        RandomGenerator random = Tally.random(SEED);
        return Stream.generate(() -> draw(scope.settings(), random))
                .filter(head -> head.bits() <= Math.log(MAX_LENGTH) / Math.log(2) * LogitMargin.corrected(head))
                .filter(filter)
                .limit(count(scope))
                .toList();
    }

    private static LimitAttention draw(Settings settings, RandomGenerator random) {
        int tokens = random.nextInt(1, 4);
        int period = settings.given("period").orElseGet(() -> random.nextInt(1, 4));
        int classes = tokens * period;
        double[][] scores = new double[classes][classes];
        double[][] values = new double[classes][classes];
        for (int query = 0; query < classes; query++) {
            Arrays.setAll(scores[query], key -> random.nextInt(-6, 7) / GRID);
            values[query][query] = 1;
        }
        double[] biases = new double[settings.given("tau").map(tau -> tau + 1).orElseGet(() -> random.nextInt(1, 4))];
        Arrays.setAll(biases, distance -> random.nextInt(-6, 7) / GRID);
        int bits = settings.given("p").orElseGet(() -> random.nextInt(1, 9));
        return new LimitAttention(tokens, period, scores, biases, values, bits);
    }

    /** A random sequence over a random subset of the tokens. */
    static int[] sequence(LimitAttention head, int length, RandomGenerator random) {
        int kinds = random.nextInt(1, head.tokens() + 1);
        int first = random.nextInt(head.tokens());
        return random.ints(length, 0, kinds)
                .map(kind -> (first + kind) % head.tokens())
                .toArray();
    }

    /** The total variation distance between the attention per class of thresholded softmax and of hardmax. */
    static double difference(LimitAttention head, int[] x, Attention kernel) {
        int last = x.length - 1;
        int query = head.classOf(x[last], last);
        float[] scores = new float[x.length];
        float[][] values = new float[x.length][head.classes()];
        for (int j = 0; j < x.length; j++) {
            int key = head.classOf(x[j], j);
            scores[j] = (float) head.logit(query, key, Long.MAX_VALUE);
            values[j][key] = 1;
        }
        float[] biases = new float[head.locality() + 1];
        for (int distance = 0; distance < biases.length; distance++) {
            biases[distance] = (float) (head.logit(query, query, distance) - head.logit(query, query, Long.MAX_VALUE));
        }
        var row = new LastRow(scores, biases, values, head.bits());
        float[] thresholded = row.thresholded(kernel);
        float[] hard = row.hard(kernel);
        double sum = 0;
        for (int c = 0; c < hard.length; c++) {
            sum += Math.abs(thresholded[c] - hard[c]);
        }
        return sum / 2;
    }

    /** Describes a counterexample: the head, the query's logits per class, the score biases, and the start of x. */
    static String text(LimitAttention head, int[] x) {
        int last = x.length - 1;
        int query = head.classOf(x[last], last);
        double[] far = new double[head.classes()];
        Arrays.setAll(far, key -> head.logit(query, key, Long.MAX_VALUE));
        double[] biases = new double[head.locality() + 1];
        Arrays.setAll(biases, distance -> head.logit(query, query, distance) - far[query]);
        return head.tokens() + " tokens, Delta = " + head.period() + ", p = " + head.bits() + ", A of the query's"
                + " classes "
                + Arrays.toString(far) + ", phi " + Arrays.toString(biases) + ", x = "
                + Arrays.toString(Arrays.copyOf(x, Math.min(8, x.length))) + (x.length > 8 ? "... of " + x.length : "")
                + " tokens";
    }

    /** Izzo, Nichani and Lee (2025), section 3.2: the logit margin over all distances. */
    static final ComputedClaim CORRECTED = ComputedClaim.corrected("length.logit-margin", PLACE, """
        Let f be a limit transformer of one layer and one head. Let gamma be the smallest positive difference between
        two attention logits that one query can have, over all key tokens and all distances. Distances above tau, where
        the score bias phi is 0, also count. Multiply the logits by ln N for N tokens, and set softmax weights of at
        most 2^-p times the largest to 0. Attention then equals hardmax for all N >= 2^(p / gamma).
        """)
            .settings(SETTINGS)
            .range(scope -> range(scope) + "; " + SEQUENCES + " of each head, as short as the margin allows")
            .test((scope, computation) -> checkCorrected(heads(scope, _ -> true), LogitMargin::corrected));

    static Finding checkCorrected(List<LimitAttention> heads, ToDoubleFunction<LimitAttention> margin) {
        RandomGenerator random = Tally.random(SEED + 1);
        var tally = new Tally();
        Tally.Extreme differences =
                tally.atMost("largest total variation from hardmax at 2^(p / gamma)", "probability", 0);
        int sharp = 0;
        for (LimitAttention head : heads) {
            double gamma = margin.applyAsDouble(head);
            int minimum = Math.toIntExact(LogitMargin.hardmaxLength(head.bits(), gamma));
            boolean differsBelow = false;
            for (int i = 0; i < SEQUENCES; i++) {
                int[] x = sequence(head, Math.max(minimum, head.period() + head.locality()) + i, random);
                for (var kernel : LastRow.KERNELS.entrySet()) {
                    double difference = difference(head, x, kernel.getValue());
                    differences.add(
                            difference,
                            () -> text(head, x) + ", gamma = " + gamma + ": " + kernel.getKey() + " kernel attends "
                                    + difference + " away from hardmax");
                }
                if (minimum > 2) {
                    int[] shorter = sequence(head, minimum - 1, random);
                    differsBelow |= difference(head, shorter, Kernels.scalar().attention()) > 0;
                }
            }
            sharp += differsBelow ? 1 : 0;
        }
        tally.count("heads that are not hardmax one token below", sharp, heads.size());
        return tally.finding("every sequence of at least 2^(p / gamma) tokens is hardmax", SEED, SEED + 1);
    }

    /**
     * Izzo, Nichani and Lee (2025), section 3.2: the logit margin as printed, over the distances 0 to tau only.
     *
     * <p>Tokens farther away have phi = 0, and their logits may be closer to the maximum. If each query has only one
     * distinct logit within tau, the printed margin is infinite, so attention should be hardmax on every sequence.
     */
    static final ComputedClaim PRINTED = ComputedClaim.printed("length.logit-margin.printed", PLACE, """
        Let f be a limit transformer of one layer and one head. As printed, let gamma be the smallest positive
        difference between two logits A[(y, i), (z, i - k)] + phi(k) of one query (y, i), over key tokens z and only the
        distances k from 0 to tau. Multiply the logits by ln N for N tokens, and set softmax weights of at most 2^-p
        times the largest to 0. Attention then equals hardmax for all N >= 2^(p / gamma).
        """)
            .settings(SETTINGS)
            .range(scope -> range(scope) + "; " + SEQUENCES + " of each head, as short as the margin allows above tau")
            .test((scope, computation) -> checkPrinted(heads(scope, MarginCases::roundsNoLogit)));

    /** Whether no logit would be rounded to 0, as section 3.2 first says of all quantities of at most 2^-p. */
    private static boolean roundsNoLogit(LimitAttention head) {
        double least = Math.scalb(1.0, -head.bits());
        for (int query = 0; query < head.classes(); query++) {
            for (int key = 0; key < head.classes(); key++) {
                for (int distance = 0; distance <= head.locality() + 1; distance++) {
                    double logit = Math.abs(head.logit(query, key, distance));
                    if (logit > 0 && logit <= least) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    static Finding checkPrinted(List<LimitAttention> heads) {
        RandomGenerator random = Tally.random(SEED + 2);
        long n = (long) SEQUENCES * heads.size();
        var tally = new Tally();
        Tally.Extreme ofInfinite =
                tally.atMost("largest total variation from hardmax at 2^(p / gamma), gamma infinite", "probability", 0);
        Tally.Extreme ofFinite = tally.atMost("the same, gamma finite", "probability", 0);
        ofInfinite.count(n);
        ofFinite.count(n);
        // Counterexamples with an infinite margin and with a finite margin.
        var infinite = new ArrayList<String>();
        var finite = new ArrayList<String>();

        for (LimitAttention head : heads) {
            double gamma = LogitMargin.printed(head);
            int minimum = Math.toIntExact(LogitMargin.hardmaxLength(head.bits(), gamma));
            for (int i = 0; i < SEQUENCES; i++) {
                int[] x = sequence(head, Math.max(minimum, head.period() + head.locality()) + i, random);
                double difference = difference(head, x, Kernels.scalar().attention());
                if (difference > 0) {
                    String text = text(head, x) + ": gamma = " + gamma + " as printed, "
                            + LogitMargin.corrected(head) + " over all distances, " + difference
                            + " away from hardmax";
                    (Double.isInfinite(gamma) ? infinite : finite).add(text);
                }
                (Double.isInfinite(gamma) ? ofInfinite : ofFinite).add(difference);
            }
        }
        infinite.forEach(tally::refute);
        finite.forEach(tally::refute);

        tally.count("sequences that refute an infinite margin", infinite.size(), n);
        tally.count("sequences that refute a finite one", finite.size(), n);
        return tally.finding("every sequence of at least 2^(p / gamma) tokens is hardmax", SEED, SEED + 2);
    }
}
