package org.lemmata.kernel.attention;

import java.util.Arrays;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.kernel.elementary.ScalarExp;

/**
 * The scalar references of attention, plain ({@link ScalarAttention}) and rounded. They compute scores, weights,
 * outputs and gradients for one query of one head at a time, with sums in ascending order of position.
 *
 * <p>The two references differ only in their sites and in the rounding of quotients. If sums are
 * {@link RoundedSite#plain}, the product of tokens is computed before it is added to a score, exponentials are computed
 * by {@link Math#exp}, and maximum scores are saved unchanged.
 */
public final class ScalarRows {

    private final RoundedSite sums;
    private final RoundedSite scores;
    private final RoundedSite exponentials;
    private final RoundedSite scoreGradients;
    private final boolean odd;
    private final AttentionInputs inputs;
    private final RaggedOffsets sequences;
    private final AttentionShape shape;

    /** The scores of a row, then its weights. */
    private final float[] weights;

    private final float[] dWeights;

    // The current row: query i of a head in the sequence that starts at row `first`. `own` is the row's index in
    // queries and outputs. The query sees `seen` positions, and the logarithm of `counted` scales its scores.
    private int first;
    private int i;
    private int head;
    private int own;
    private int seen;
    private int counted;
    private float maximum;
    private float total;

    /** @param odd whether quotients of outputs are rounded to odd, see {@link Quotient} */
    ScalarRows(
            RoundedSite sums,
            RoundedSite scores,
            RoundedSite exponentials,
            RoundedSite scoreGradients,
            boolean odd,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        this.sums = sums;
        this.scores = scores;
        this.exponentials = exponentials;
        this.scoreGradients = scoreGradients;
        this.odd = odd;
        this.inputs = inputs;
        this.sequences = sequences;
        this.shape = shape;
        int longest = 0;
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            longest = Math.max(longest, sequences.length(sequence));
        }
        weights = new float[longest];
        dWeights = new float[longest];
    }

    public static ScalarRows plain(AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        RoundedSite plain = RoundedSite.plain();
        return new ScalarRows(plain, plain, plain, plain, false, inputs, sequences, shape);
    }

    void forward(AttentionOutputs outputs) {
        Arrays.fill(outputs.identityOutputs(), 0, sequences.total() * shape.identityWidth(), 0);
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            if (shape.weighting() == Weighting.UNIFORM) {
                averageAll(outputs, sequence);
                continue;
            }
            for (int h = 0; h < shape.heads(); h++) {
                for (int query = 0; query < sequences.length(sequence); query++) {
                    forward(outputs, sequence, h, query, sequences.start(sequence) + query);
                }
            }
        }
    }

    /**
     * Sets one head's outputs and saved values in a row, and adds to the identity outputs of the row.
     *
     * @param ownRow the index of the row in queries and outputs
     */
    public void forward(AttentionOutputs outputs, int sequence, int ofHead, int query, int ownRow) {
        setRow(sequence, ofHead, query, ownRow);
        weigh(seen);
        if (shape.hasScores()) {
            // Rounded rows save NaN as the maximum if the sum of weights is NaN, and never save -0.
            float saved = sums.isPlain() ? maximum : Float.isNaN(total) ? Float.NaN : maximum + 0f;
            save(outputs, own * shape.heads() + head, saved, total, shape.lengthFactor(counted), shape);
        }
        for (int d = 0; d < shape.headWidth(); d++) {
            float sum = sum(inputs.values(), at(0) + d, shape.width());
            outputs.outputs()[ownAt() + d] = Quotient.of(sum, total, odd);
        }
        int tokenWidth = shape.identityWidth();
        for (int d = 0; d < tokenWidth; d++) {
            float sum = sum(inputs.tokens(), tokenAt(0) + d, tokenWidth);
            addHead(outputs.identityOutputs(), own * tokenWidth + d, sum, total, head);
        }
    }

    private void setRow(int sequence, int ofHead, int query, int ownRow) {
        int length = sequences.length(sequence);
        first = sequences.start(sequence);
        head = ofHead;
        i = query;
        own = ownRow;
        seen = shape.seen(i, length);
        counted = shape.counted(i, length);
        long block = (long) (first + i - i % AttentionProducts.QUERIES) * shape.heads() + head;
        scores.startBlock(block);
        exponentials.startBlock(block);
        scoreGradients.startBlock(block);
    }

    /** The offset of the head's columns of {@code position} in keys and values. */
    private int at(int position) {
        return (first + position) * shape.width() + head * shape.headWidth();
    }

    /** The offset of the head's columns of the current row in queries and outputs. */
    private int ownAt() {
        return own * shape.width() + head * shape.headWidth();
    }

    private int tokenAt(int position) {
        return (first + position) * shape.identityWidth();
    }

    /** Sets u_i0 ... u_i(count - 1), the maximum score (NaN if any score is NaN), and the sum of the weights. */
    private void weigh(int count) {
        maximum = shape.hasScores() ? Float.NEGATIVE_INFINITY : 0;
        for (int j = 0; j < count && shape.hasScores(); j++) {
            weights[j] = scores.round(score(j), word(j));
            maximum = Math.max(maximum, weights[j]);
        }
        float factor = shape.lengthFactor(counted);
        float cutoff = shape.cutoff(counted);
        total = 0;
        for (int j = 0; j < count; j++) {
            weights[j] = exponentials.round(weight(weights[j], factor, cutoff), word(j));
            total = sums.add(total, weights[j]);
        }
    }

    /** The index of the random word for this query and key j, in the stream of the query's block. */
    private long word(int j) {
        return (long) j * AttentionProducts.QUERIES + i % AttentionProducts.QUERIES;
    }

    private float score(int j) {
        float sum = sums.addDot(0, inputs.queries(), ownAt(), inputs.keys(), at(j), shape.headWidth());
        int tokenWidth = shape.identityWidth();
        if (tokenWidth > 0 && sums.isPlain()) {
            sum += inputs.keyQueryIdentities()[head] * tokenProduct(j);
        } else {
            for (int d = 0; d < tokenWidth; d++) {
                float token = inputs.keyQueryIdentities()[head] * inputs.tokens()[tokenAt(j) + d];
                sum = sums.addProduct(sum, inputs.tokens()[tokenAt(i) + d], token);
            }
        }
        float score = shape.scoreScale() * sum;
        int distance = i - j;
        return distance >= 0 && distance < shape.biasSpan()
                ? score + inputs.scoreBiases()[head * shape.biasSpan() + distance]
                : score;
    }

    private float tokenProduct(int j) {
        return sums.addDot(0, inputs.tokens(), tokenAt(i), inputs.tokens(), tokenAt(j), shape.identityWidth());
    }

    private float weight(float score, float factor, float cutoff) {
        return switch (shape.weighting()) {
            case UNIFORM -> 1;
            // The maximum is NaN if any score is NaN.
            case HARDMAX -> Float.isNaN(maximum) ? maximum : score == maximum ? 1 : 0;
            case SOFTMAX -> exp(factor * (score - maximum));
            case THRESHOLDED -> maximum - score >= cutoff ? 0 : exp(factor * (score - maximum));
        };
    }

    private float exp(float x) {
        return sums.isPlain() ? (float) Math.exp(x) : ScalarExp.exp(x);
    }

    static void save(AttentionOutputs outputs, int at, float maximum, float total, float factor, AttentionShape shape) {
        if (outputs.normalizers().length > 0) {
            outputs.normalizers()[at] = shape.weighting() == Weighting.SOFTMAX
                    ? (float) ((double) factor * maximum + Math.log(total))
                    : total;
        }
        if (shape.savesMaxScores() && outputs.maxScores().length > 0) {
            outputs.maxScores()[at] = maximum;
        }
    }

    /** sum_j u_ij column_j. */
    private float sum(float[] column, int offset, int stride) {
        float sum = 0;
        for (int j = 0; j < seen; j++) {
            sum = sums.addProduct(sum, weights[j], column[offset + j * stride]);
        }
        return sum;
    }

    private void addHead(float[] identityOutputs, int at, float sum, float ofWeights, int ofHead) {
        float average = Quotient.of(sum, ofWeights, false);
        identityOutputs[at] = sums.addProduct(identityOutputs[at], inputs.valueOutputIdentities()[ofHead], average);
    }

    /** Computes the outputs for uniform weights. Each row adds the positions that it newly sees to running sums. */
    private void averageAll(AttentionOutputs outputs, int sequence) {
        int start = sequences.start(sequence);
        int length = sequences.length(sequence);
        setRow(sequence, 0, 0, start);
        weigh(Math.min(1, length));
        float weight = length == 0 ? 0 : weights[0];
        for (int column = 0; column < shape.width() + shape.identityWidth(); column++) {
            boolean isToken = column >= shape.width();
            int width = isToken ? shape.identityWidth() : shape.width();
            float[] values = isToken ? inputs.tokens() : inputs.values();
            int offset = start * width + (isToken ? column - shape.width() : column);
            float ofWeights = 0;
            float sum = 0;
            int count = 0;
            for (int query = 0; query < length; query++) {
                for (; count < shape.seen(query, length); count++) {
                    ofWeights = sums.add(ofWeights, weight);
                    sum = sums.addProduct(sum, weight, values[offset + count * width]);
                }
                int at = offset + query * width;
                for (int h = 0; isToken && h < shape.heads(); h++) {
                    addHead(outputs.identityOutputs(), at, sum, ofWeights, h);
                }
                if (!isToken) {
                    outputs.outputs()[at] = Quotient.of(sum, ofWeights, odd);
                }
            }
        }
    }

    /** Sets the gradients of all rows, or adds to them, as {@link Attention#backward} specifies. */
    void backward(AttentionInputs dInputs, AttentionOutputs dOutputs) {
        AttentionInputs gradients = AttentionInputs.zeros(sequences, shape);
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            for (int h = 0; h < shape.heads(); h++) {
                for (int query = 0; query < sequences.length(sequence); query++) {
                    backward(gradients, dOutputs, sequence, h, query, sequences.start(sequence) + query);
                }
            }
        }
        addInto(dInputs, gradients, sequences.total(), shape);
    }

    /**
     * Adds a row's contributions to the gradients. {@link #addInto} later multiplies the gradients of queries, keys and
     * a by the scale of the scores.
     */
    public void backward(
            AttentionInputs gradients, AttentionOutputs dOutputs, int sequence, int ofHead, int query, int ownRow) {
        setRow(sequence, ofHead, query, ownRow);
        weigh(seen);
        for (int j = 0; j < seen; j++) {
            weights[j] /= total;
        }
        backwardValues(gradients, dOutputs);
        if (shape.hasScoreGradients()) {
            backwardScores(gradients);
        }
    }

    /** Adds the row's contributions to dv, db and, through z, to dx. Sets dw of the row. */
    private void backwardValues(AttentionInputs gradients, AttentionOutputs dOutputs) {
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        float dIdentity = 0;
        for (int j = 0; j < seen; j++) {
            dWeights[j] = sums.addDot(0, dOutputs.outputs(), ownAt(), inputs.values(), at(j), headWidth);
            sums.addScaled(gradients.values(), at(j), weights[j], dOutputs.outputs(), ownAt(), headWidth);
            if (tokenWidth > 0) {
                float[] dz = dOutputs.identityOutputs();
                float identity = inputs.valueOutputIdentities()[head];
                float product = sums.addDot(0, dz, tokenAt(i), inputs.tokens(), tokenAt(j), tokenWidth);
                dWeights[j] = sums.addProduct(dWeights[j], identity, product);
                dIdentity = sums.addProduct(dIdentity, weights[j], product);
                float factor = sums.multiply(identity, weights[j]);
                sums.addScaled(gradients.tokens(), tokenAt(j), factor, dz, tokenAt(i), tokenWidth);
            }
        }
        if (tokenWidth > 0) {
            float[] identities = gradients.valueOutputIdentities();
            identities[head] = sums.add(identities[head], dIdentity);
        }
    }

    /** Adds the row's contributions to dq, dk, da, dphi and, through the scores, to dx. */
    private void backwardScores(AttentionInputs gradients) {
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        float factor = shape.lengthFactor(counted);
        float mean = sums.addDot(0, weights, 0, dWeights, 0, seen);
        float dIdentity = 0;
        for (int j = 0; j < seen; j++) {
            float dScore = scoreGradients.round(factor * (weights[j] * (dWeights[j] - mean)), word(j));
            sums.addScaled(gradients.queries(), ownAt(), dScore, inputs.keys(), at(j), headWidth);
            sums.addScaled(gradients.keys(), at(j), dScore, inputs.queries(), ownAt(), headWidth);
            int distance = i - j;
            if (distance >= 0 && distance < shape.biasSpan()) {
                int bias = head * shape.biasSpan() + distance;
                gradients.scoreBiases()[bias] = sums.add(gradients.scoreBiases()[bias], dScore);
            }
            if (tokenWidth > 0) {
                dIdentity = sums.addProduct(dIdentity, dScore, tokenProduct(j));
                float scale = sums.multiply(shape.scoreScale(), inputs.keyQueryIdentities()[head]);
                float dProduct = sums.multiply(scale, dScore);
                sums.addScaled(gradients.tokens(), tokenAt(i), dProduct, inputs.tokens(), tokenAt(j), tokenWidth);
                sums.addScaled(gradients.tokens(), tokenAt(j), dProduct, inputs.tokens(), tokenAt(i), tokenWidth);
            }
        }
        if (tokenWidth > 0) {
            float[] identities = gradients.keyQueryIdentities();
            identities[head] = sums.add(identities[head], dIdentity);
        }
    }

    /** Computes the gradients from {@code sums}, the sums over all rows. There are {@code queries} rows of queries. */
    public static void addInto(AttentionInputs dInputs, AttentionInputs sums, int queries, AttentionShape shape) {
        if (shape.hasScores()) {
            scale(dInputs.queries(), sums.queries(), queries * shape.width(), shape.scoreScale());
            scale(dInputs.keys(), sums.keys(), sums.keys().length, shape.scoreScale());
            add(dInputs.keyQueryIdentities(), sums.keyQueryIdentities(), shape.scoreScale());
            add(dInputs.scoreBiases(), sums.scoreBiases(), 1);
        }
        scale(dInputs.values(), sums.values(), sums.values().length, 1);
        add(dInputs.tokens(), sums.tokens(), 1);
        add(dInputs.valueOutputIdentities(), sums.valueOutputIdentities(), 1);
    }

    /** Sets {@code result} to the scaled sums. A sum that underflowed to -0 becomes +0. */
    private static void scale(float[] result, float[] sums, int length, float factor) {
        for (int at = 0; at < length; at++) {
            result[at] = factor * (sums[at] + 0f);
        }
    }

    private static void add(float[] result, float[] sums, float factor) {
        for (int at = 0; at < sums.length; at++) {
            result[at] += factor * sums[at];
        }
    }
}
