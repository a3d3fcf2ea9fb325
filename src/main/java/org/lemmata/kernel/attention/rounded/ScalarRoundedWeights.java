package org.lemmata.kernel.attention.rounded;

import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionProducts;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.attention.ScalarAttention;
import org.lemmata.kernel.elementary.ScalarExp;
import org.lemmata.random.RandomStream;

/** Scores and weights of one row of the reference, which both passes make alike. */
final class ScalarRoundedWeights {

    /** Scores, then weights. */
    final float[] weights;

    private final RandomStream stream;
    private final RoundedSite scores;
    private final RoundedSite exponentials;
    private final RoundedSite sums;
    private final AttentionInputs inputs;
    private final AttentionShape shape;

    /** What {@link #weigh} found. */
    float maximum;

    float total;

    ScalarRoundedWeights(
            AttentionRounding rounding,
            RandomStream stream,
            RoundedSite sums,
            AttentionInputs inputs,
            int longest,
            AttentionShape shape) {
        this.stream = stream;
        this.scores = new RoundedSite(rounding.scores(), stream);
        this.exponentials = new RoundedSite(rounding.exponentials(), stream);
        this.sums = sums;
        this.inputs = inputs;
        this.shape = shape;
        weights = new float[longest];
    }

    /** Sets u_i0 ... u_i(seen - 1) of row {@code first + i}, the maximum score (NaN as soon as one is), and the sum. */
    void weigh(int first, int i, int seen, int counted, int head) {
        int block = first + i - i % AttentionProducts.QUERIES;
        scores.setStream(RoundingStreams.block(stream, RoundingStreams.SCORES, block, head, shape));
        exponentials.setStream(RoundingStreams.block(stream, RoundingStreams.EXPONENTIALS, block, head, shape));
        maximum = Float.NEGATIVE_INFINITY;
        for (int j = 0; j < seen && shape.hasScores(); j++) {
            weights[j] = scores.round(score(first, i, j, head), word(i, j));
            maximum = Math.max(maximum, weights[j]);
        }
        float factor = shape.lengthFactor(counted);
        float cutoff = shape.cutoff(counted);
        total = 0;
        for (int j = 0; j < seen; j++) {
            weights[j] = exponentials.round(weight(weights[j], factor, cutoff), word(i, j));
            total = sums.add(total, weights[j]);
        }
    }

    /** The word that a number of query i and key j takes from the stream of its block. */
    static long word(int i, int j) {
        return (long) j * AttentionProducts.QUERIES + i % AttentionProducts.QUERIES;
    }

    private float score(int first, int i, int j, int head) {
        int width = shape.width();
        int query = (first + i) * width + head * shape.headWidth();
        int key = (first + j) * width + head * shape.headWidth();
        float sum = sums.addDot(0, inputs.queries(), query, inputs.keys(), key, shape.headWidth());
        int tokenWidth = shape.identityWidth();
        for (int d = 0; d < tokenWidth; d++) {
            float token = inputs.keyQueryIdentities()[head] * inputs.tokens()[(first + j) * tokenWidth + d];
            sum = sums.addProduct(sum, inputs.tokens()[(first + i) * tokenWidth + d], token);
        }
        float score = shape.scoreScale() * sum;
        int distance = i - j;
        return distance >= 0 && distance < shape.biasSpan()
                ? score + inputs.scoreBiases()[head * shape.biasSpan() + distance]
                : score;
    }

    private float weight(float score, float factor, float cutoff) {
        return switch (shape.weighting()) {
            case UNIFORM -> 1;
            // The maximum score is NaN as soon as one is.
            case HARDMAX -> Float.isNaN(maximum) ? maximum : score == maximum ? 1 : 0;
            case SOFTMAX -> ScalarExp.exp(factor * (score - maximum));
            case THRESHOLDED -> maximum - score >= cutoff ? 0 : ScalarExp.exp(factor * (score - maximum));
        };
    }

    /** Saves what the forward pass of a weighting saves. */
    void save(AttentionOutputs outputs, int row, int counted, int head) {
        if (shape.weighting() != Weighting.UNIFORM) {
            save(outputs, row * shape.heads() + head, maximum, total, shape.lengthFactor(counted), shape);
        }
    }

    /** The maximum score of a row without weights that are numbers is NaN, and no score is -0. */
    static void save(AttentionOutputs outputs, int at, float maximum, float total, float factor, AttentionShape shape) {
        float saved = Float.isNaN(total) ? Float.NaN : maximum + 0f;
        ScalarAttention.save(outputs, at, saved, total, factor, shape);
    }
}
