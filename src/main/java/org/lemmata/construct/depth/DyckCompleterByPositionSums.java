package org.lemmata.construct.depth;

import it.unimi.dsi.fastutil.doubles.DoubleArrayList;
import it.unimi.dsi.fastutil.doubles.DoubleList;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Significand;
import org.lemmata.setting.NumberSet;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.token.Vocabulary;

/**
 * One-head completer of words of D_2N, built from a training word s. After r tokens of z, the logits of '(' and ')' are
 * X and -X with X = (v / r) (Delta_r(z) - Delta_r(s) + gamma E_{s_{r+1}}).
 *
 * <p>One head of width 1 with uniform attention, E = [1, -1] for '(' and ')', value matrix v, and the position
 * embedding B_1 = -E_{s_1} + gamma E_{s_2}, B_i = -E_{s_i} + gamma (E_{s_{i+1}} - E_{s_i}) of a training word s of
 * D_2N; Delta_r is the stack size after r tokens. With v gamma &gt; N^2 each prefix of s is completed to s with
 * probability at least 1 - 2N exp(-N). With gamma = -1/2, each prefix of each word of D_2N is also completed to some
 * word of D_2N with this probability; greedy decoding does so for every gamma in (-2, 0), because X then moves the
 * stack size of z towards the stack size of s. With gamma in (0, 2), X moves it away from the stack size of s. If the
 * stack sizes differ by less than |gamma|, the next token of s decides, and the difference stays constant.
 *
 * <p>The paper leaves two choices open. E_{s_{2N+1}} is 0 here; only B_2N contains it, and generating up to 2N tokens
 * never uses it. The first token is not predicted, because there is no attention at r = 0. A prefix must therefore not
 * be empty.
 *
 * <p>Source: Richard (2024), theorem 4.1 and Eq. 4.
 */
public final class DyckCompleterByPositionSums extends TelescopingHead {

    public static final Source SOURCE = new Source(Paper.DEPTH, "theorem 4.1");

    private static final double[] EMBEDDING = {1, -1};

    /**
     * @param vocabulary two tokens, '(' with id 0 and ')' with id 1
     * @param word the training word s: a balanced word of 2N tokens, N at least 1
     * @param gamma not 0
     * @param v such that v gamma &gt; N^2
     */
    public DyckCompleterByPositionSums(Vocabulary vocabulary, int[] word, double gamma, double v) {
        super(
                SOURCE,
                brackets(vocabulary),
                new double[][] {{EMBEDDING[0]}, {EMBEDDING[1]}},
                balanced(word),
                gamma,
                checked("v", v, gamma, word.length));
    }

    static Vocabulary brackets(Vocabulary vocabulary) {
        if (!vocabulary.symbols().equals(List.of("(", ")"))) {
            throw new IllegalArgumentException(
                    "vocabulary: expected ( and ), in this order, got " + String.join(" ", vocabulary.symbols()));
        }
        return vocabulary;
    }

    /** Returns {@code v}. If it is illegal, the message names {@code setting}, which determines v. */
    private static double checked(String setting, double v, double gamma, int length) {
        checkGamma(gamma);
        int n = length / 2;
        if (!Double.isFinite(v) || !(v * gamma > (double) n * n)) {
            throw new IllegalArgumentException(setting + ": expected v * gamma above N^2 = " + (long) n * n
                    + " (theorem 4.1), got v = " + v + " with gamma = " + gamma);
        }
        if (!Double.isFinite(v * (length + Math.abs(gamma)))) {
            throw new IllegalArgumentException(setting
                    + ": expected one for which sums of 2N terms stay finite, got v = " + v + " with gamma = " + gamma);
        }
        return v;
    }

    /**
     * The construction with v = sign(gamma) (floor(N^2 / |gamma|) + 1), the integer with the smallest magnitude that
     * satisfies the theorem's condition: -(2N^2 + 1) for gamma = -1/2.
     */
    public DyckCompleterByPositionSums(Vocabulary vocabulary, int[] word, double gamma) {
        this(
                vocabulary,
                word,
                gamma,
                checked(
                        "gamma",
                        Math.signum(gamma) * (Math.floor(0.25 * word.length * word.length / Math.abs(gamma)) + 1),
                        gamma,
                        word.length));
    }

    private static int[] balanced(int[] word) {
        if (word.length == 0 || word.length % 2 != 0) {
            throw new IllegalArgumentException(
                    "word: expected an even number of brackets, at least 2, got " + word.length);
        }
        int stack = 0;
        for (int i = 0; i < word.length; i++) {
            stack += word[i] == 0 ? 1 : -1;
            Refuse.when(stack < 0, "word", "a balanced word", "')' at position " + (i + 1) + " with nothing open");
        }
        Refuse.when(stack != 0, "word", "a balanced word", stack + " brackets left open");
        return word;
    }

    /**
     * Enough bits that every product v (E_{z_i} + B_i) and, if sums are rounded, every partial sum of them is exact.
     * Only the division by r then rounds, so X has the sign of the real-valued model. If binary64 cannot represent the
     * position embedding or a product exactly, the bits only ensure that rounding errors cannot change the sign.
     */
    @Override
    public Demand demand() {
        double minimum = Math.min(1, Math.abs(v));
        double maximum = Math.max(1, Math.abs(v));
        int bits = Significand.bitsOf(v);
        double factor = 1;
        for (double x : summands()) {
            if (Significand.bitsOfProduct(v, x) > bits) {
                bits = Significand.bitsOfProduct(v, x);
                factor = x;
            }
            minimum = x == 0 ? minimum : Math.min(minimum, Math.min(Math.abs(x), Math.abs(v * x)));
            maximum = Math.max(maximum, Math.abs(v * x));
        }
        // |Delta_r(z) - Delta_r(s)| is even and at most 2N.
        int sumBits = bits;
        double sumFactor = factor;
        for (int difference = -word.length; difference <= word.length; difference += 2) {
            for (double next : EMBEDDING) {
                double sum = difference + gamma * next;
                if (Significand.bitsOfProduct(v, sum) > sumBits) {
                    sumBits = Significand.bitsOfProduct(v, sum);
                    sumFactor = sum;
                }
                minimum = sum == 0 ? minimum : Math.min(minimum, Math.abs(v * sum / word.length));
                maximum = Math.max(maximum, Math.abs(v * sum));
            }
        }
        int binary64 = FloatFormat.BINARY64.significandBits();
        if (sumBits >= binary64 || !positionsAreExact()) {
            int needed = Math.max(binary64, decidingBits());
            return new Demand(needed, needed, minimum, maximum, "positions, of gamma = " + gamma);
        }
        return new Demand(
                bits,
                sumBits,
                minimum,
                maximum,
                "the value " + product(factor),
                "the partial sum " + product(sumFactor));
    }

    private String product(double factor) {
        return "v (E + B) = " + NumberSet.shown(v) + " * " + NumberSet.shown(factor) + " = "
                + NumberSet.shown(v * factor);
    }

    /**
     * First all integers v up to 2|v|, then gamma with fewer bits, then shorter words. For each gamma and word, v takes
     * the smallest possible value and larger values.
     */
    @Override
    public Stream<Variation> variations() {
        Stream<DyckCompleterByPositionSums> pulls = IntStream.iterate(
                        Significand.bitsOf(gamma) - 1, bits -> bits > 0, bits -> bits - 1)
                .mapToObj(bits -> new DyckCompleterByPositionSums(vocabulary(), word, rounded(bits)));
        Stream<DyckCompleterByPositionSums> shorter = IntStream.iterate(
                        word.length / 2 - 1, pairs -> pairs > 0, pairs -> pairs - 1)
                .mapToObj(this::ofPairs);
        return Stream.of(
                        weights().map(other -> new Variation("v", other.v, other)),
                        pulls.flatMap(any -> Stream.concat(Stream.of(any), any.weights()))
                                .map(other -> new Variation("gamma", other.gamma, other)),
                        shorter.flatMap(any -> Stream.concat(Stream.of(any), any.weights()))
                                .map(other -> new Variation("a word of N", other.word.length / 2.0, other)))
                .flatMap(each -> each);
    }

    private double rounded(int bits) {
        double unit = Math.scalb(1.0, Math.getExponent(gamma) + 1 - bits);
        return unit * Math.rint(gamma / unit);
    }

    /** Copies of this construction with all other integers v that the theorem allows, up to 2|v|, nearest first. */
    private Stream<DyckCompleterByPositionSums> weights() {
        double size = Math.abs(v);
        return DoubleStream.iterate(1, step -> step <= size, step -> step + 1)
                .flatMap(step -> DoubleStream.of(Math.floor(size) + step, Math.ceil(size) - step))
                .filter(other -> other * Math.abs(gamma) > 0.25 * word.length * word.length)
                .mapToObj(other -> new DyckCompleterByPositionSums(vocabulary(), word, gamma, Math.copySign(other, v)));
    }

    private DyckCompleterByPositionSums ofPairs(int pairs) {
        int[] shorter = IntStream.range(0, 2 * pairs).map(i -> i % 2).toArray();
        return new DyckCompleterByPositionSums(vocabulary(), shorter, gamma);
    }

    /** Every possible value of x_i = E_{z_i} + B_i, if z and s both begin with '('. */
    private DoubleList summands() {
        var summands = new DoubleArrayList();
        for (double next : EMBEDDING) {
            summands.add(gamma * next);
        }
        for (double token : EMBEDDING) {
            for (double own : EMBEDDING) {
                for (double next : new double[] {1, -1, 0}) {
                    summands.add(token - own * (1 + gamma) + gamma * next);
                }
            }
        }
        return summands;
    }

    private boolean positionsAreExact() {
        return isExactSum(1, gamma) && isExactSum(1, 2 * gamma) && isExactSum(2, gamma) && isExactSum(2, -gamma);
    }

    private static boolean isExactSum(double a, double b) {
        return new BigDecimal(a).add(new BigDecimal(b)).compareTo(new BigDecimal(a + b)) == 0;
    }

    /**
     * The smallest p with 2N (2N + 11) 2^-p below |gamma| and, for gamma in (-2, 0), below 2 + gamma: there are 2N
     * terms with at most five roundings each, and 2N partial sums of at most 2N + 1 in units of v.
     */
    private int decidingBits() {
        double margin = gamma > -2 && gamma < 0 ? Math.min(-gamma, 2 + gamma) : Math.abs(gamma);
        return Math.getExponent(word.length * (word.length + 11.0) / margin) + 1;
    }
}
