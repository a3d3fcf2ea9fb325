package org.lemmata.construct.length;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.construct.Construction;
import org.lemmata.kernel.attention.AttentionShape.LogLength;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.model.Architecture;
import org.lemmata.model.AttentionOptions;
import org.lemmata.model.FeedForwardOptions;
import org.lemmata.model.NormalizationOptions;
import org.lemmata.model.OutputOptions;
import org.lemmata.model.PositionOptions;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Significand;
import org.lemmata.source.Source;
import org.lemmata.token.Vocabulary;

/**
 * The limit transformer of one layer and one head: causal attention at p bits over scores times the logarithm of the
 * length, residual, no norms, a real number at the last position.
 *
 * <p>Source: Izzo, Nichani and Lee (2025), sections 3.1 and 3.2.
 */
abstract sealed class LimitTransformer extends Construction
        permits ModPTaskByPeriodicPositions, SimpleTaskByPiecewiseLinearSine {

    /** The maximum p of the kernels: 2^-126 is the smallest normal number of binary32. */
    private static final int MAX_BITS = 126;

    final int p;
    final int bits;
    final int maxLength;

    LimitTransformer(Source source, Vocabulary vocabulary, int p, int bits, int maxLength) {
        super(source, vocabulary);
        Refuse.outside("p", p, 1, MAX_BITS);
        Refuse.below("maxLength", maxLength, 1);
        this.p = p;
        this.bits = checkedBits(bits);
        this.maxLength = maxLength;
    }

    abstract LimitTransformer withBits(int other);

    @Override
    public final Stream<Variation> variations() {
        return IntStream.iterate(bits - 1, other -> other >= 2, other -> other - 1)
                .mapToObj(other -> new Variation("bits", other, withBits(other)));
    }

    /**
     * The demand that follows from the bits, p and the maximum length.
     *
     * @param minimum the smallest nonzero magnitude
     * @param maximum the largest magnitude
     */
    final Demand demand(double minimum, double maximum) {
        // A sum counts up to the length n, which takes ceil(log2(n + 1)) bits.
        return new Demand(
                Math.max(bits, Significand.bitsOf(p)),
                Math.max(bits, Integer.SIZE - Integer.numberOfLeadingZeros(maxLength)),
                minimum,
                maximum,
                "weights of " + bits + " bits, and p",
                "weights of " + bits + " bits, and counts to " + maxLength);
    }

    static int checkedBits(int bits) {
        Refuse.outside("bits", bits, 2, FloatFormat.BINARY64.significandBits());
        return bits;
    }

    /**
     * @param p bits of the thresholded softmax: weights of at most 2^-p times the maximum are 0
     * @param headWidth the number of columns of the head; the output projection maps values to the width
     */
    static Architecture architecture(
            int vocabularySize,
            int maxLength,
            int width,
            PositionOptions positions,
            int headWidth,
            int p,
            @Nullable FeedForwardOptions feedForward) {
        return new Architecture(
                new Architecture.Size(vocabularySize, maxLength, width, 1),
                positions,
                AttentionOptions.softmax(1, headWidth)
                        .withWeighting(Weighting.THRESHOLDED, p)
                        .withScores(1, LogLength.SEQUENCE, 0),
                feedForward,
                NormalizationOptions.none(),
                true,
                OutputOptions.regression(false),
                0);
    }
}
