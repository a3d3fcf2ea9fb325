package org.lemmata.kernel.attention.rounded;

import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionProducts;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.random.RandomStream;

/** One backward pass of {@link ScalarRoundedAttention}. */
final class ScalarRoundedBackward {

    private final AttentionRounding rounding;
    private final RandomStream stream;
    private final RoundedSite sums;
    private final RoundedSite scoreGradients;
    private final ScalarRoundedWeights row;
    private final AttentionInputs gradients;
    private final AttentionOutputs dOutputs;
    private final AttentionInputs inputs;
    private final RaggedOffsets sequences;
    private final AttentionShape shape;

    /** dw of a row. */
    private final float[] dWeights;

    ScalarRoundedBackward(
            AttentionRounding rounding,
            RandomStream stream,
            AttentionOutputs dOutputs,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        this.rounding = rounding;
        this.stream = stream;
        sums = new RoundedSite(rounding.sums(), stream.part(RoundingStreams.GRADIENT_SUMS));
        scoreGradients = new RoundedSite(rounding.gradients(), stream);
        int longest = ScalarRoundedForward.longest(sequences);
        row = new ScalarRoundedWeights(rounding, stream, sums, inputs, longest, shape);
        gradients = AttentionInputs.zeros(sequences, shape);
        dWeights = new float[longest];
        this.dOutputs = dOutputs;
        this.inputs = inputs;
        this.sequences = sequences;
        this.shape = shape;
    }

    void addInto(AttentionInputs dInputs) {
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            int first = sequences.start(sequence);
            int length = sequences.length(sequence);
            for (int head = 0; head < shape.heads(); head++) {
                for (int i = 0; i < length; i++) {
                    backwardRow(first, i, length, head);
                }
            }
        }
        float scale = shape.scoreScale();
        if (shape.hasScores()) {
            scale(dInputs.queries(), gradients.queries(), scale, RoundingStreams.QUERY_GRADIENTS);
            scale(dInputs.keys(), gradients.keys(), scale, RoundingStreams.KEY_GRADIENTS);
            add(dInputs.keyQueryIdentities(), gradients.keyQueryIdentities(), scale);
            add(dInputs.scoreBiases(), gradients.scoreBiases(), 1);
        }
        scale(dInputs.values(), gradients.values(), 1, RoundingStreams.VALUE_GRADIENTS);
        add(dInputs.tokens(), gradients.tokens(), 1);
        add(dInputs.valueOutputIdentities(), gradients.valueOutputIdentities(), 1);
    }

    private void backwardRow(int first, int i, int length, int head) {
        int seen = shape.seen(i, length);
        int counted = shape.counted(i, length);
        row.weigh(first, i, seen, counted, head);
        int block = first + i - i % AttentionProducts.QUERIES;
        scoreGradients.setStream(RoundingStreams.block(stream, RoundingStreams.SCORE_GRADIENTS, block, head, shape));
        for (int j = 0; j < seen; j++) {
            row.weights[j] /= row.total;
        }
        backwardValues(first, i, seen, head);
        if (shape.hasScoreGradients()) {
            backwardScores(first, i, seen, shape.lengthFactor(counted), head);
        }
    }

    /** Adds what row {@code first + i} contributes to dv, db and, by way of z, dx; sets dw of the row. */
    private void backwardValues(int first, int i, int seen, int head) {
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int query = (first + i) * shape.width() + head * headWidth;
        int token = (first + i) * tokenWidth;
        float dIdentity = 0;
        for (int j = 0; j < seen; j++) {
            float weight = row.weights[j];
            int key = (first + j) * shape.width() + head * headWidth;
            float dWeight = sums.addDot(0, dOutputs.outputs(), query, inputs.values(), key, headWidth);
            sums.addScaled(gradients.values(), key, weight, dOutputs.outputs(), query, headWidth);
            if (tokenWidth > 0) {
                int other = (first + j) * tokenWidth;
                float identity = inputs.valueOutputIdentities()[head];
                float product = sums.addDot(0, dOutputs.identityOutputs(), token, inputs.tokens(), other, tokenWidth);
                dWeight = sums.addProduct(dWeight, identity, product);
                dIdentity = sums.addProduct(dIdentity, weight, product);
                float factor = sums.multiply(identity, weight);
                sums.addScaled(gradients.tokens(), other, factor, dOutputs.identityOutputs(), token, tokenWidth);
            }
            dWeights[j] = dWeight;
        }
        if (tokenWidth > 0) {
            float[] identities = gradients.valueOutputIdentities();
            identities[head] = sums.add(identities[head], dIdentity);
        }
    }

    /** Adds what row {@code first + i} contributes to dq, dk, da, dphi and, by way of scores, dx. */
    private void backwardScores(int first, int i, int seen, float factor, int head) {
        int headWidth = shape.headWidth();
        int tokenWidth = shape.identityWidth();
        int query = (first + i) * shape.width() + head * headWidth;
        int token = (first + i) * tokenWidth;
        float mean = sums.addDot(0, row.weights, 0, dWeights, 0, seen);
        float dIdentity = 0;
        for (int j = 0; j < seen; j++) {
            int key = (first + j) * shape.width() + head * headWidth;
            float dScore = scoreGradients.round(
                    factor * (row.weights[j] * (dWeights[j] - mean)), ScalarRoundedWeights.word(i, j));
            sums.addScaled(gradients.queries(), query, dScore, inputs.keys(), key, headWidth);
            sums.addScaled(gradients.keys(), key, dScore, inputs.queries(), query, headWidth);
            int distance = i - j;
            if (distance >= 0 && distance < shape.biasSpan()) {
                int bias = head * shape.biasSpan() + distance;
                gradients.scoreBiases()[bias] = sums.add(gradients.scoreBiases()[bias], dScore);
            }
            if (tokenWidth > 0) {
                int other = (first + j) * tokenWidth;
                float product = sums.addDot(0, inputs.tokens(), token, inputs.tokens(), other, tokenWidth);
                dIdentity = sums.addProduct(dIdentity, dScore, product);
                float scale = sums.multiply(shape.scoreScale(), inputs.keyQueryIdentities()[head]);
                float dProduct = sums.multiply(scale, dScore);
                sums.addScaled(gradients.tokens(), token, dProduct, inputs.tokens(), other, tokenWidth);
                sums.addScaled(gradients.tokens(), other, dProduct, inputs.tokens(), token, tokenWidth);
            }
        }
        if (tokenWidth > 0) {
            float[] identities = gradients.keyQueryIdentities();
            identities[head] = sums.add(identities[head], dIdentity);
        }
    }

    /** A sum that underflowed to -0 counts as +0. */
    private void scale(float[] result, float[] unscaled, float factor, int part) {
        for (int at = 0; at < unscaled.length; at++) {
            result[at] = factor * (unscaled[at] + 0f);
        }
        new RoundedSite(rounding.gradients(), stream.part(part)).round(result, sequences.total(), shape.width());
    }

    private static void add(float[] result, float[] unscaled, float factor) {
        for (int at = 0; at < unscaled.length; at++) {
            result[at] += factor * unscaled[at];
        }
    }
}
