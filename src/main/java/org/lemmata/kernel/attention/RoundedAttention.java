package org.lemmata.kernel.attention;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.number.Rounding;

/**
 * Attention with each site of an {@link AttentionRounding} rounded to its own number format.
 *
 * <p>Scalar; every sum starts at +0 and runs in ascending order (of column in an inner product, of position elsewhere),
 * product and addition separately, never fused. The greatest score is that of the rounded scores. Softmax takes the
 * difference to it, and its product with ln n_i, in binary32, and the exponential by {@link Math#exp} of binary64; the
 * weights 1 and 0 of uniform attention and hardmax are rounded at the site {@code exponentials} too, and the sum of
 * uniform weights is a running sum of ones. The saved values are those of binary32, and the backward pass does not read
 * them: like that of {@link ScalarAttention} it makes the weights anew, rounded as in the forward pass.
 *
 * <p>A site rounds once: products, sums and quotients of binary32 operands reach it as if exact, in binary64. What it
 * gives is then stored in binary32, which changes nothing for a format that binary32 contains, and rounds again for
 * others, such as {@code threshold(p)}. With no site rounded the result has the bits of {@link ScalarAttention}.
 */
public final class RoundedAttention implements Attention {

    private final AttentionRounding rounding;

    public RoundedAttention(AttentionRounding rounding) {
        this.rounding = rounding;
    }

    public AttentionRounding rounding() {
        return rounding;
    }

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        Attention.checkForward(outputs, inputs, sequences, shape);
        int identityElements = sequences.total() * shape.identityWidth();
        Arrays.fill(outputs.identityOutputs(), 0, identityElements, 0);
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            int first = sequences.start(sequence);
            int length = sequences.length(sequence);
            if (shape.weighting() == Weighting.UNIFORM) {
                averageAll(outputs.outputs(), inputs.values(), first, length, shape.width(), shape);
                averageAll(outputs.identityOutputs(), inputs.tokens(), first, length, shape.identityWidth(), shape);
                addHeads(outputs.identityOutputs(), inputs.valueOutputIdentities(), first, length, shape);
                continue;
            }
            float[] weights = new float[length];
            for (int head = 0; head < shape.heads(); head++) {
                for (int i = 0; i < length; i++) {
                    forwardRow(outputs, inputs, weights, first, i, shape.seen(i, length), head, shape);
                }
            }
        }
        for (int at = 0; at < identityElements; at++) {
            outputs.identityOutputs()[at] = narrow(rounding.outputs(), outputs.identityOutputs()[at]);
        }
    }

    /** Uniform weights: the sums of a row are those of the row before and, if it sees more, further steps. */
    private void averageAll(
            float[] averages, float[] values, int first, int length, int width, AttentionShape shape) {
        float weight = narrow(rounding.exponentials(), 1);
        for (int column = 0; column < width; column++) {
            float total = 0;
            float sum = 0;
            int count = 0;
            for (int i = 0; i < length; i++) {
                for (; count < shape.seen(i, length); count++) {
                    total = add(total, weight);
                    sum = add(sum, multiply(weight, values[(first + count) * width + column]));
                }
                averages[(first + i) * width + column] = narrow(rounding.outputs(), (double) sum / total);
            }
        }
    }

    /** Replaces each average r of tokens by sum_h b_h r. */
    private void addHeads(
            float[] averages, float[] valueOutputIdentities, int first, int length, AttentionShape shape) {
        int width = shape.identityWidth();
        for (int at = first * width; at < (first + length) * width; at++) {
            float sum = 0;
            for (int head = 0; head < shape.heads(); head++) {
                sum = add(sum, multiply(valueOutputIdentities[head], averages[at]));
            }
            averages[at] = sum;
        }
    }

    /** Row {@code first + i}, which sees {@code seen} positions from {@code first} on. */
    private void forwardRow(
            AttentionOutputs outputs,
            AttentionInputs inputs,
            float[] weights,
            int first,
            int i,
            int seen,
            int head,
            AttentionShape shape) {
        float greatest = scores(weights, inputs, first, i, seen, head, shape);
        float total = weigh(weights, seen, greatest, shape);
        ScalarAttention.save(
                outputs, (first + i) * shape.heads() + head, greatest, total, shape.lengthFactor(seen), shape);

        int width = shape.width();
        int column = head * shape.headWidth();
        for (int d = column; d < column + shape.headWidth(); d++) {
            outputs.outputs()[(first + i) * width + d] =
                    average(weights, seen, total, inputs.values(), first * width + d, width);
        }
        int tokenWidth = shape.identityWidth();
        for (int d = 0; d < tokenWidth; d++) {
            float average = average(weights, seen, total, inputs.tokens(), first * tokenWidth + d, tokenWidth);
            int at = (first + i) * tokenWidth + d;
            outputs.identityOutputs()[at] = add(
                    outputs.identityOutputs()[at], multiply(inputs.valueOutputIdentities()[head], average));
        }
    }

    private float average(float[] weights, int seen, float total, float[] values, int offset, int stride) {
        float sum = 0;
        for (int j = 0; j < seen; j++) {
            sum = add(sum, multiply(weights[j], values[offset + j * stride]));
        }
        return narrow(rounding.outputs(), (double) sum / total);
    }

    /** Sets s_i0 ... s_i(seen - 1), without the factor ln n_i; returns the greatest, NaN as soon as one is. */
    private float scores(
            float[] scores, AttentionInputs inputs, int first, int i, int seen, int head, AttentionShape shape) {
        int width = shape.width();
        int column = head * shape.headWidth();
        float greatest = Float.NEGATIVE_INFINITY;
        for (int j = 0; j < seen; j++) {
            float sum = dot(
                    inputs.queries(),
                    (first + i) * width + column,
                    inputs.keys(),
                    (first + j) * width + column,
                    shape.headWidth());
            if (shape.identityWidth() > 0) {
                float product = tokenProduct(inputs, first + i, first + j, shape);
                sum = add(sum, multiply(inputs.keyQueryIdentities()[head], product));
            }
            scores[j] = narrow(rounding.scores(), (double) shape.scoreScale() * sum);
            int distance = i - j;
            if (distance >= 0 && distance < shape.biasSpan()) {
                float bias = inputs.scoreBiases()[head * shape.biasSpan() + distance];
                scores[j] = add(rounding.scores(), scores[j], bias);
            }
            greatest = Math.max(greatest, scores[j]);
        }
        return greatest;
    }

    private float tokenProduct(AttentionInputs inputs, int i, int j, AttentionShape shape) {
        int width = shape.identityWidth();
        return dot(inputs.tokens(), i * width, inputs.tokens(), j * width, width);
    }

    private float dot(float[] x, int xOffset, float[] y, int yOffset, int length) {
        float sum = 0;
        for (int d = 0; d < length; d++) {
            sum = add(sum, multiply(x[xOffset + d], y[yOffset + d]));
        }
        return sum;
    }

    /** Replaces scores by the weights u; returns their sum. */
    private float weigh(float[] weights, int seen, float greatest, AttentionShape shape) {
        float factor = shape.lengthFactor(seen);
        float cutoff = shape.cutoff(seen);
        float sum = 0;
        for (int j = 0; j < seen; j++) {
            double weight = switch (shape.weighting()) {
                case UNIFORM -> 1;
                // The greatest score is NaN as soon as one is.
                case HARDMAX -> Float.isNaN(greatest) ? greatest : weights[j] == greatest ? 1 : 0;
                case SOFTMAX -> Math.exp(factor * (weights[j] - greatest));
                case THRESHOLDED -> greatest - weights[j] >= cutoff ? 0 : Math.exp(factor * (weights[j] - greatest));
            };
            weights[j] = narrow(rounding.exponentials(), weight);
            sum = add(sum, weights[j]);
        }
        return sum;
    }

    @Override
    public void backward(
            AttentionInputs dInputs,
            AttentionOutputs dOutputs,
            AttentionOutputs outputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        Attention.checkBackward(dInputs, dOutputs, outputs, inputs, sequences, shape);
        AttentionInputs sums = AttentionInputs.zeros(sequences, shape);
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            int first = sequences.start(sequence);
            int length = sequences.length(sequence);
            float[] weights = new float[length];
            float[] dWeights = new float[length];
            for (int head = 0; head < shape.heads(); head++) {
                for (int i = 0; i < length; i++) {
                    int seen = shape.seen(i, length);
                    float greatest = shape.hasScores() ? scores(weights, inputs, first, i, seen, head, shape) : 0;
                    float total = weigh(weights, seen, greatest, shape);
                    for (int j = 0; j < seen; j++) {
                        weights[j] = narrow(rounding.exponentials(), (double) weights[j] / total);
                    }
                    backwardValues(sums, dWeights, weights, dOutputs, inputs, first, i, seen, head, shape);
                    if (shape.hasScoreGradients()) {
                        backwardScores(sums, dWeights, weights, inputs, first, i, seen, head, shape);
                    }
                }
            }
        }
        if (shape.hasScores()) {
            scale(dInputs.queries(), sums.queries(), shape.scoreScale());
            scale(dInputs.keys(), sums.keys(), shape.scoreScale());
            add(dInputs.keyQueryIdentities(), sums.keyQueryIdentities(), shape.scoreScale());
            add(dInputs.scoreBiases(), sums.scoreBiases(), 1);
        }
        scale(dInputs.values(), sums.values(), 1);
        add(dInputs.tokens(), sums.tokens(), 1);
        add(dInputs.valueOutputIdentities(), sums.valueOutputIdentities(), 1);
    }

    /** Adds what row {@code first + i} contributes to dv, db and, by way of z, dx; sets dw of the row. */
    private void backwardValues(
            AttentionInputs sums,
            float[] dWeights,
            float[] weights,
            AttentionOutputs dOutputs,
            AttentionInputs inputs,
            int first,
            int i,
            int seen,
            int head,
            AttentionShape shape) {
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int row = (first + i) * shape.width() + head * headWidth;
        int token = (first + i) * tokenWidth;
        float dIdentity = 0;
        for (int j = 0; j < seen; j++) {
            int other = (first + j) * shape.width() + head * headWidth;
            float dWeight = dot(dOutputs.outputs(), row, inputs.values(), other, headWidth);
            addScaled(sums.values(), other, weights[j], dOutputs.outputs(), row, headWidth);
            if (tokenWidth > 0) {
                int otherToken = (first + j) * tokenWidth;
                float identity = inputs.valueOutputIdentities()[head];
                float product = dot(dOutputs.identityOutputs(), token, inputs.tokens(), otherToken, tokenWidth);
                dWeight = add(dWeight, multiply(identity, product));
                dIdentity = add(dIdentity, multiply(weights[j], product));
                addScaled(
                        sums.tokens(),
                        otherToken,
                        multiply(identity, weights[j]),
                        dOutputs.identityOutputs(),
                        token,
                        tokenWidth);
            }
            dWeights[j] = narrow(rounding.scores(), dWeight);
        }
        if (tokenWidth > 0) {
            sums.valueOutputIdentities()[head] = add(sums.valueOutputIdentities()[head], dIdentity);
        }
    }

    /** Adds what row {@code first + i} contributes to dq, dk, da, dphi and, by way of scores, dx. */
    private void backwardScores(
            AttentionInputs sums,
            float[] dWeights,
            float[] weights,
            AttentionInputs inputs,
            int first,
            int i,
            int seen,
            int head,
            AttentionShape shape) {
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int row = (first + i) * shape.width() + head * headWidth;
        int token = (first + i) * tokenWidth;
        float mean = dot(weights, 0, dWeights, 0, seen);
        float factor = shape.lengthFactor(seen);
        float dIdentity = 0;
        for (int j = 0; j < seen; j++) {
            int other = (first + j) * shape.width() + head * headWidth;
            float product = multiply(weights[j], add(dWeights[j], -mean));
            float dScore = narrow(rounding.scores(), (double) factor * product);
            addScaled(sums.queries(), row, dScore, inputs.keys(), other, headWidth);
            addScaled(sums.keys(), other, dScore, inputs.queries(), row, headWidth);
            int distance = i - j;
            if (distance >= 0 && distance < shape.biasSpan()) {
                int bias = head * shape.biasSpan() + distance;
                sums.scoreBiases()[bias] = add(sums.scoreBiases()[bias], dScore);
            }
            if (tokenWidth > 0) {
                int otherToken = (first + j) * tokenWidth;
                dIdentity = add(dIdentity, multiply(dScore, tokenProduct(inputs, first + i, first + j, shape)));
                float scale = multiply(shape.scoreScale(), inputs.keyQueryIdentities()[head]);
                float dProduct = multiply(scale, dScore);
                addScaled(sums.tokens(), token, dProduct, inputs.tokens(), otherToken, tokenWidth);
                addScaled(sums.tokens(), otherToken, dProduct, inputs.tokens(), token, tokenWidth);
            }
        }
        if (tokenWidth > 0) {
            sums.keyQueryIdentities()[head] = add(sums.keyQueryIdentities()[head], dIdentity);
        }
    }

    /** y += factor x, for {@code length} elements. */
    private void addScaled(float[] y, int yOffset, float factor, float[] x, int xOffset, int length) {
        for (int d = 0; d < length; d++) {
            y[yOffset + d] = add(y[yOffset + d], multiply(factor, x[xOffset + d]));
        }
    }

    private void scale(float[] result, float[] sums, float factor) {
        for (int at = 0; at < sums.length; at++) {
            result[at] = narrow(rounding.outputs(), (double) factor * sums[at]);
        }
    }

    private void add(float[] result, float[] sums, float factor) {
        for (int at = 0; at < sums.length; at++) {
            result[at] = add(rounding.outputs(), result[at], multiply(factor, sums[at]));
        }
    }

    /** A product of two binary32 numbers has at most 48 significand bits: binary64 holds it. */
    private float multiply(float a, float b) {
        return rounding.sums() == null ? a * b : narrow(rounding.sums(), (double) a * b);
    }

    private float add(float a, float b) {
        return add(rounding.sums(), a, b);
    }

    private static float add(@Nullable Rounding rounding, float a, float b) {
        return rounding == null ? a + b : rounding.roundSum(a, b);
    }

    private static float narrow(@Nullable Rounding rounding, double x) {
        return (float) (rounding == null ? x : rounding.round(x));
    }
}
