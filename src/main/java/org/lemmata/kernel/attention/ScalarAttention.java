package org.lemmata.kernel.attention;

import java.util.Arrays;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionShape.Weighting;

/**
 * The reference: row by row, sums in ascending order of position, every operation rounded to binary32.
 *
 * <p>The backward pass makes the weights of a row anew from its scores, just as the forward pass does, and reads none
 * of the saved values. What is added to the gradients of tokens, a, b and phi is summed up first.
 */
public final class ScalarAttention implements Attention {

    /**
     * Row i of a head of the sequence of {@code length} positions from row {@code first} on.
     *
     * @param own the row of its query and of its outputs
     */
    public record Row(AttentionInputs inputs, AttentionShape shape, int first, int length, int head, int i, int own) {

        int seen() {
            return shape.seen(i, length);
        }

        int counted() {
            return shape.counted(i, length);
        }

        /** Where the head's columns of a position begin. */
        int at(int position) {
            return (first + position) * shape.width() + head * shape.headWidth();
        }

        /** Where those of the query and of the outputs begin. */
        int ownAt() {
            return own * shape.width() + head * shape.headWidth();
        }

        int tokenAt(int position) {
            return (first + position) * shape.identityWidth();
        }

        /** Sets s_i0 ... s_i(seen - 1), without the logarithm; returns the maximum, NaN as soon as one is. */
        float scores(float[] scores) {
            float maximum = Float.NEGATIVE_INFINITY;
            for (int j = 0; j < seen(); j++) {
                float sum = dot(inputs.queries(), ownAt(), inputs.keys(), at(j), shape.headWidth());
                if (shape.identityWidth() > 0) {
                    sum += inputs.keyQueryIdentities()[head] * tokenProduct(j);
                }
                scores[j] = shape.scoreScale() * sum;
                int distance = i - j;
                if (distance >= 0 && distance < shape.biasSpan()) {
                    scores[j] += inputs.scoreBiases()[head * shape.biasSpan() + distance];
                }
                maximum = Math.max(maximum, scores[j]);
            }
            return maximum;
        }

        /** &lt;x_i, x_j&gt;. */
        float tokenProduct(int j) {
            return dot(inputs.tokens(), tokenAt(i), inputs.tokens(), tokenAt(j), shape.identityWidth());
        }
    }

    @Override
    public void forward(
            AttentionOutputs outputs, AttentionInputs inputs, RaggedOffsets sequences, AttentionShape shape) {
        Attention.checkForward(outputs, inputs, sequences, shape);
        Arrays.fill(outputs.identityOutputs(), 0, sequences.total() * shape.identityWidth(), 0);
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
                    forwardRow(outputs, weights, new Row(inputs, shape, first, length, head, i, first + i));
                }
            }
        }
    }

    /** Uniform weights: each row is the running sum of the rows that it sees, divided by how many there are. */
    private static void averageAll(
            float[] averages, float[] values, int first, int length, int width, AttentionShape shape) {
        for (int column = 0; column < width; column++) {
            float sum = 0;
            int count = 0;
            for (int i = 0; i < length; i++) {
                for (; count < shape.seen(i, length); count++) {
                    sum += values[(first + count) * width + column];
                }
                averages[(first + i) * width + column] = sum / count;
            }
        }
    }

    /** Replaces each average r of tokens by sum_h b_h r: under uniform weights all heads have the same. */
    private static void addHeads(
            float[] averages, float[] valueOutputIdentities, int first, int length, AttentionShape shape) {
        int width = shape.identityWidth();
        for (int at = first * width; at < (first + length) * width; at++) {
            float sum = 0;
            for (int head = 0; head < shape.heads(); head++) {
                sum += valueOutputIdentities[head] * averages[at];
            }
            averages[at] = sum;
        }
    }

    /** Sets a row of outputs and what is saved of it, and adds to the identity outputs; {@code weights} is space. */
    public static void forwardRow(AttentionOutputs outputs, float[] weights, Row row) {
        AttentionInputs inputs = row.inputs();
        AttentionShape shape = row.shape();
        int seen = row.seen();
        int counted = row.counted();
        float maximum = shape.hasScores() ? row.scores(weights) : 0;
        float total = weigh(weights, seen, counted, maximum, shape);
        int number = row.own() * shape.heads() + row.head();
        save(outputs, number, maximum, total, shape.lengthFactor(counted), shape);
        for (int d = 0; d < shape.headWidth(); d++) {
            float sum = sum(weights, inputs.values(), row.at(0) + d, shape.width(), seen);
            outputs.outputs()[row.ownAt() + d] = sum / total;
        }
        int tokenWidth = shape.identityWidth();
        for (int d = 0; d < tokenWidth; d++) {
            float sum = sum(weights, inputs.tokens(), row.tokenAt(0) + d, tokenWidth, seen);
            outputs.identityOutputs()[row.own() * tokenWidth + d] +=
                    inputs.valueOutputIdentities()[row.head()] * (sum / total);
        }
    }

    /** sum_j weights_j column_j, j = 0 ... count - 1. */
    private static float sum(float[] weights, float[] column, int offset, int stride, int count) {
        float sum = 0;
        for (int j = 0; j < count; j++) {
            sum += weights[j] * column[offset + j * stride];
        }
        return sum;
    }

    private static float dot(float[] x, int xOffset, float[] y, int yOffset, int length) {
        float sum = 0;
        for (int d = 0; d < length; d++) {
            sum += x[xOffset + d] * y[yOffset + d];
        }
        return sum;
    }

    /** Replaces scores by the weights u; returns their sum. */
    public static float weigh(float[] weights, int seen, int counted, float maximum, AttentionShape shape) {
        float factor = shape.lengthFactor(counted);
        float cutoff = shape.cutoff(counted);
        float sum = 0;
        for (int j = 0; j < seen; j++) {
            weights[j] = switch (shape.weighting()) {
                case UNIFORM -> 1;
                // The maximum score is NaN as soon as one is.
                case HARDMAX -> Float.isNaN(maximum) ? maximum : weights[j] == maximum ? 1 : 0;
                case SOFTMAX -> (float) Math.exp(factor * (weights[j] - maximum));
                case THRESHOLDED ->
                    maximum - weights[j] >= cutoff ? 0 : (float) Math.exp(factor * (weights[j] - maximum));
            };
            sum += weights[j];
        }
        return sum;
    }

    public static void save(
            AttentionOutputs outputs, int at, float maximum, float total, float factor, AttentionShape shape) {
        if (outputs.normalizers().length > 0) {
            outputs.normalizers()[at] = shape.weighting() == Weighting.SOFTMAX
                    ? (float) ((double) factor * maximum + Math.log(total))
                    : total;
        }
        if (shape.savesMaxScores() && outputs.maxScores().length > 0) {
            outputs.maxScores()[at] = maximum;
        }
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
                    Row row = new Row(inputs, shape, first, length, head, i, first + i);
                    backwardRow(sums, dOutputs, weights, dWeights, row);
                }
            }
        }
        addInto(dInputs, sums, sequences.total(), shape);
    }

    /** Adds what a row contributes to the sums of gradients; {@code weights} and {@code dWeights} are space. */
    public static void backwardRow(
            AttentionInputs sums, AttentionOutputs dOutputs, float[] weights, float[] dWeights, Row row) {
        AttentionShape shape = row.shape();
        float maximum = shape.hasScores() ? row.scores(weights) : 0;
        float total = weigh(weights, row.seen(), row.counted(), maximum, shape);
        for (int j = 0; j < row.seen(); j++) {
            weights[j] /= total;
        }
        backwardValues(sums, dWeights, weights, dOutputs, row);
        if (shape.hasScoreGradients()) {
            backwardScores(sums, dWeights, weights, row);
        }
    }

    /** The gradients from the sums of all rows, of which {@code queries} have a query. */
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

    /** Adds what row {@code first + i} contributes to dv, db and, by way of z, dx; sets dw of the row. */
    private static void backwardValues(
            AttentionInputs sums, float[] dWeights, float[] weights, AttentionOutputs dOutputs, Row row) {
        AttentionInputs inputs = row.inputs();
        int headWidth = row.shape().headWidth();
        int tokenWidth = row.shape().identityWidth();
        int at = row.ownAt();
        int token = row.tokenAt(row.i());
        int head = row.head();
        float dIdentity = 0;
        for (int j = 0; j < row.seen(); j++) {
            int other = row.at(j);
            dWeights[j] = dot(dOutputs.outputs(), at, inputs.values(), other, headWidth);
            addScaled(sums.values(), other, weights[j], dOutputs.outputs(), at, headWidth);
            if (tokenWidth > 0) {
                int otherToken = row.tokenAt(j);
                float b = inputs.valueOutputIdentities()[head];
                float product = dot(dOutputs.identityOutputs(), token, inputs.tokens(), otherToken, tokenWidth);
                dWeights[j] += b * product;
                dIdentity += weights[j] * product;
                addScaled(sums.tokens(), otherToken, b * weights[j], dOutputs.identityOutputs(), token, tokenWidth);
            }
        }
        if (tokenWidth > 0) {
            sums.valueOutputIdentities()[head] += dIdentity;
        }
    }

    /** Adds what row {@code first + i} contributes to dq, dk, da, dphi and, by way of scores, dx. */
    private static void backwardScores(AttentionInputs sums, float[] dWeights, float[] weights, Row row) {
        AttentionInputs inputs = row.inputs();
        AttentionShape shape = row.shape();
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int at = row.ownAt();
        int token = row.tokenAt(row.i());
        int head = row.head();
        float factor = shape.lengthFactor(row.counted());
        float mean = dot(weights, 0, dWeights, 0, row.seen());
        float dIdentity = 0;
        for (int j = 0; j < row.seen(); j++) {
            int other = row.at(j);
            float dScore = factor * (weights[j] * (dWeights[j] - mean));
            addScaled(sums.queries(), at, dScore, inputs.keys(), other, headWidth);
            addScaled(sums.keys(), other, dScore, inputs.queries(), at, headWidth);
            int distance = row.i() - j;
            if (distance >= 0 && distance < shape.biasSpan()) {
                sums.scoreBiases()[head * shape.biasSpan() + distance] += dScore;
            }
            if (tokenWidth > 0) {
                int otherToken = row.tokenAt(j);
                dIdentity += dScore * row.tokenProduct(j);
                float dProduct = shape.scoreScale() * inputs.keyQueryIdentities()[head] * dScore;
                addScaled(sums.tokens(), token, dProduct, inputs.tokens(), otherToken, tokenWidth);
                addScaled(sums.tokens(), otherToken, dProduct, inputs.tokens(), token, tokenWidth);
            }
        }
        if (tokenWidth > 0) {
            sums.keyQueryIdentities()[head] += dIdentity;
        }
    }

    /** y += factor x, for {@code length} elements. */
    private static void addScaled(float[] y, int yOffset, float factor, float[] x, int xOffset, int length) {
        for (int d = 0; d < length; d++) {
            y[yOffset + d] += factor * x[xOffset + d];
        }
    }

    private static void scale(float[] result, float[] sums, int length, float factor) {
        for (int at = 0; at < length; at++) {
            result[at] = factor * sums[at];
        }
    }

    private static void add(float[] result, float[] sums, float factor) {
        for (int at = 0; at < sums.length; at++) {
            result[at] += factor * sums[at];
        }
    }
}
