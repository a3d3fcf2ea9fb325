package org.lemmata.claim.length;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.lemmata.claim.AdjustableClaim;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.construct.length.LimitAttention;
import org.lemmata.construct.length.LogitMargin;
import org.lemmata.setting.Setting;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/**
 * Izzo, Nichani and Lee (2025), section 3.2, read literally: "all quantities of absolute value &lt;= 2^-p are rounded
 * to 0 during each intermediate computation".
 *
 * <p>The weights of the softmax are such quantities: where hardmax attends to |A| &gt;= 2^p tokens, each has 1 / |A|
 * &lt;= 2^-p, and the answer is 0. It takes softmax as weights, which are then averaged. Where the sums of section
 * 3.1's fraction are divided at the end, no such weight comes up, and what is rounded is an average:
 * {@link Order#FRACTION}. {@link Hardmax} and {@link LogitMarginCorrected} round the exponentials alone, as the section
 * goes on to say.
 */
public final class ThresholdingPrinted implements AdjustableClaim {

    static final long SEED = 3_230;

    private static final double ROUNDING = 1e-12;

    /** What is computed first. */
    enum Order {
        /** Exponentials, weights, products with values, their sum: each is rounded. */
        WEIGHTS,
        /** Exponentials, both sums of the fraction, the quotient: each is rounded. */
        FRACTION
    }

    @Override
    public Statement statement() {
        return new Statement(
                "length.thresholding.printed",
                new Source(Paper.LENGTH, "section 3.2, the instantiation of finite precision"),
                Form.PRINTED,
                "As printed, read literally: with all quantities of absolute value at most 2^-p rounded to 0 during"
                        + " each intermediate computation, the weights of the softmax among them, a head is hardmax, to"
                        + " 2^-p for each class, on every sequence of at least 2^(p / gamma) tokens, gamma over all"
                        + " distances.");
    }

    @Override
    public List<Setting> settings() {
        return MarginCases.SETTINGS;
    }

    @Override
    public String range(Scope scope) {
        return MarginCases.range(scope)
                + "; a sequence of H, 2 H, 2^p and 2^(p + 1) tokens each, H the hardmax length, where that is at least"
                + " H";
    }

    @Override
    public Finding check(Scope scope, Computation computation) {
        return check(MarginCases.heads(scope), Order.WEIGHTS);
    }

    static Finding check(List<LimitAttention> heads, Order order) {
        RandomGenerator random = Tally.random(SEED);
        var tally = new Tally();
        double maximum = 0;
        int nothing = 0;
        long sequences = 0;
        for (LimitAttention head : heads) {
            int minimum = Math.max(Math.toIntExact(LogitMargin.hardmaxLength(head)), head.period() + head.locality());
            int power = 1 << head.bits();
            for (int length : new int[] {minimum, 2 * minimum, power, 2 * power}) {
                if (length < minimum) {
                    continue;
                }
                int[] x = MarginCases.sequence(head, length, random);
                double[] answer = literal(head, x, order);
                double[] hard = byClass(head, x, head.hardWeights(x), 0);
                double difference = IntStream.range(0, hard.length)
                        .mapToDouble(c -> Math.abs(answer[c] - hard[c]) * power)
                        .max()
                        .orElse(0);
                double attended = DoubleStream.of(answer).reduce(0, Double::sum);
                sequences++;
                nothing += attended == 0 ? 1 : 0;
                maximum = Math.max(maximum, difference);
                tally.require(
                        difference <= 1 + ROUNDING,
                        () -> MarginCases.text(head, x) + ": a class is off by " + difference / power
                                + ", and what is attended to adds up to " + attended);
            }
        }
        tally.atMost("maximum difference of a class from hardmax over 2^-p", maximum, "", sequences, 1);
        tally.count("sequences of which nothing is attended to", nothing, sequences);
        return tally.finding("every sequence is hardmax, to 2^-p for each class", MarginCases.SEED, SEED);
    }

    /**
     * What values that say the class are averaged to. The exponentials of {@link LimitAttention} are rounded already.
     */
    private static double[] literal(LimitAttention head, int[] x, Order order) {
        double threshold = Math.scalb(1.0, -head.bits());
        double[] answer = byClass(head, x, head.weights(x), order == Order.WEIGHTS ? threshold : 0);
        for (int c = 0; c < answer.length; c++) {
            answer[c] = answer[c] <= threshold ? 0 : answer[c];
        }
        return answer;
    }

    /** Sums of the weights of each class, without those of at most {@code threshold}. */
    private static double[] byClass(LimitAttention head, int[] x, double[] weights, double threshold) {
        double[] sums = new double[head.classes()];
        for (int j = 0; j < x.length; j++) {
            sums[head.classOf(x[j], j)] += weights[j] <= threshold ? 0 : weights[j];
        }
        return sums;
    }
}
