package org.lemmata.construct.hierarchy;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;
import org.lemmata.construct.Construction;
import org.lemmata.model.ExactParameters;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.precision.PrecisionSite;
import org.lemmata.source.Source;
import org.lemmata.task.hierarchy.BracketTokens;

/** Base class of the constructions for brackets. It defines the tokens and the binary codes of types. */
public abstract sealed class BracketTransformer extends Construction
        permits DyckGenerator,
                DyckGeneratorWithoutStart,
                DyckRecognizer,
                DyckRecognizerWithoutStart,
                ShuffleDyckGenerator,
                ShuffleDyckRecognizer {

    /**
     * The number of bits for which 0, 1 and signs are exact, and attention weights have an error of at most a quarter.
     */
    private static final int FEW_BITS = 2;

    final BracketTokens tokens;

    final int maxLength;
    private final int maxInputDepth;
    private final boolean start;

    BracketTransformer(Source source, BracketTokens tokens, int maxLength, int maxInputDepth, boolean start) {
        super(source, tokens.vocabulary());
        Refuse.below("maxLength", maxLength, 1);
        this.tokens = tokens;
        this.maxLength = maxLength;
        this.maxInputDepth = maxInputDepth;
        this.start = start;
    }

    public final BracketTokens tokens() {
        return tokens;
    }

    public final int maxLength() {
        return maxLength;
    }

    abstract BracketTransformer shorter(int length);

    @Override
    public final Stream<Variation> variations() {
        return IntStream.iterate(maxLength - 1, length -> length > 0, length -> length - 1)
                .mapToObj(length -> new Variation("maxLength", length, shorter(length)));
    }

    /** The maximum number of simultaneously open brackets in an input. */
    public final int maxInputDepth() {
        return maxInputDepth;
    }

    /** Whether an input begins with {@code <bos>}. */
    public final boolean hasStart() {
        return start;
    }

    /** The input for a string of brackets: {@code <bos>} if the construction has one, then the brackets. */
    public final int[] input(int... brackets) {
        return start
                ? IntStream.concat(IntStream.of(tokens.start()), IntStream.of(brackets))
                        .toArray()
                : brackets;
    }

    /** exp(x_i) / sum of exp(x_j), for {@code count} logits from index {@code from} on. */
    public static double[] softmax(double[] logits, int from, int count) {
        double[] probabilities = Arrays.copyOfRange(logits, from, from + count);
        double maximum = Arrays.stream(probabilities).max().orElseThrow();
        Arrays.setAll(probabilities, i -> Math.exp(probabilities[i] - maximum));
        double sum = Arrays.stream(probabilities).sum();
        Arrays.setAll(probabilities, i -> probabilities[i] / sum);
        return probabilities;
    }

    /** ceil(log2 k). */
    static int codeBits(int types) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(types - 1);
    }

    /** Bit {@code bit} (1 or -1) of the {@code count} bits of a type's code, most significant bit first. */
    static double code(int type, int bit, int count) {
        return (type >> (count - 1 - bit) & 1) == 1 ? 1 : -1;
    }

    /**
     * Writes the embeddings of Eq. 41: the code from column 0 on, then 1 or -1 for brackets, then the start if it has a
     * column, then 1.
     */
    static void embed(ExactParameters parameters, BracketTokens tokens, int codeBits, boolean withStart) {
        int one = codeBits + (withStart ? 2 : 1);
        for (int token = 0; token < tokens.count(); token++) {
            parameters.set(ParameterRole.TOKEN_EMBEDDING, token, one, 1);
            if (token < tokens.brackets()) {
                for (int bit = 0; bit < codeBits; bit++) {
                    parameters.set(ParameterRole.TOKEN_EMBEDDING, token, bit, code(tokens.type(token), bit, codeBits));
                }
                parameters.set(ParameterRole.TOKEN_EMBEDDING, token, codeBits, tokens.rise(token));
            }
        }
        if (withStart) {
            parameters.set(ParameterRole.TOKEN_EMBEDDING, tokens.start(), codeBits + 1, 1);
        }
    }

    /** A demand with equal bits for tensors and sums. Means are over at most {@code maxLength} + 1 tokens. */
    final Demand demand(int bits, double maximum) {
        return new Demand(bits, bits, 0.5 / (maxLength + 1), maximum, "weights at length " + maxLength());
    }

    /**
     * The demand of a construction that counts depths. Unless constants are exact, weights, embeddings and exponentials
     * need only a few bits.
     */
    final Demand demand(DyckConstants constants, double maximum) {
        int bits = constants.bits();
        double minimum = 0.5 / (maxLength + 1);
        String what = "scores at length " + constants.maxLength() + ", depth " + constants.maxDepth();
        var all = new Demand(bits, Math.max(bits, constants.neededSumBits()), minimum, maximum, what);
        var weights = new Demand(DyckConstants.LEAST_BITS, 0, minimum, maximum, "weights");
        var zeroOrOne = new Demand(FEW_BITS, 0, 1, 1, "0 and 1");
        return constants.exact()
                ? all
                : all.with(PrecisionSite.WEIGHTS, weights)
                        .with(PrecisionSite.EMBEDDINGS, zeroOrOne)
                        .with(PrecisionSite.EXPONENTIALS, zeroOrOne);
    }

    /** The demand of a construction that counts depths and whose answer is the sign of a score. */
    final Demand demand(DyckConstants constants, double maximum, double leastScore) {
        Demand all = demand(constants, maximum);
        return constants.exact()
                ? all
                : all.with(PrecisionSite.LOGITS, new Demand(FEW_BITS, 0, leastScore, 1, "signs"));
    }
}
