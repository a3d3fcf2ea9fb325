package org.lemmata.kernel.attention.rounded;

import java.util.Arrays;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.attention.AttentionShape.Weighting;
import org.lemmata.random.RandomStream;

/** One forward pass of {@link ScalarRoundedAttention}. */
final class ScalarRoundedForward {

    private final RoundedSite sums;
    private final RoundedSite averages;
    private final RoundedSite identityAverages;
    private final ScalarRoundedWeights row;
    private final AttentionInputs inputs;
    private final RaggedOffsets sequences;
    private final AttentionShape shape;
    private final boolean odd;

    ScalarRoundedForward(
            AttentionRounding rounding,
            RandomStream stream,
            AttentionInputs inputs,
            RaggedOffsets sequences,
            AttentionShape shape) {
        sums = new RoundedSite(rounding.sums(), stream.part(RoundingStreams.SUMS));
        averages = new RoundedSite(rounding.outputs(), stream.part(RoundingStreams.OUTPUTS));
        identityAverages = new RoundedSite(rounding.outputs(), stream.part(RoundingStreams.IDENTITY_OUTPUTS));
        row = new ScalarRoundedWeights(rounding, stream, sums, inputs, longest(sequences), shape);
        odd = Quotient.isOdd(rounding.outputs());
        this.inputs = inputs;
        this.sequences = sequences;
        this.shape = shape;
    }

    static int longest(RaggedOffsets sequences) {
        int longest = 0;
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            longest = Math.max(longest, sequences.length(sequence));
        }
        return longest;
    }

    void run(AttentionOutputs outputs) {
        Arrays.fill(outputs.identityOutputs(), 0, sequences.total() * shape.identityWidth(), 0);
        for (int sequence = 0; sequence < sequences.count(); sequence++) {
            int first = sequences.start(sequence);
            int length = sequences.length(sequence);
            if (shape.weighting() == Weighting.UNIFORM) {
                averageAll(outputs, first, length);
                continue;
            }
            for (int head = 0; head < shape.heads(); head++) {
                for (int i = 0; i < length; i++) {
                    int seen = shape.seen(i, length);
                    int counted = shape.counted(i, length);
                    row.weigh(first, i, seen, counted, head);
                    row.save(outputs, first + i, counted, head);
                    averageRow(outputs, first, i, seen, head);
                }
            }
        }
        averages.round(outputs.outputs(), sequences.total(), shape.width());
        identityAverages.round(outputs.identityOutputs(), sequences.total(), shape.identityWidth());
    }

    private void averageRow(AttentionOutputs outputs, int first, int i, int seen, int head) {
        int width = shape.width();
        int column = head * shape.headWidth();
        for (int d = column; d < column + shape.headWidth(); d++) {
            float sum = sum(inputs.values(), first * width + d, width, seen);
            outputs.outputs()[(first + i) * width + d] = Quotient.of(sum, row.total, odd);
        }
        int tokenWidth = shape.identityWidth();
        for (int d = 0; d < tokenWidth; d++) {
            float sum = sum(inputs.tokens(), first * tokenWidth + d, tokenWidth, seen);
            addHead(outputs.identityOutputs(), (first + i) * tokenWidth + d, sum, row.total, head);
        }
    }

    private float sum(float[] values, int offset, int stride, int seen) {
        float sum = 0;
        for (int j = 0; j < seen; j++) {
            sum = sums.addProduct(sum, row.weights[j], values[offset + j * stride]);
        }
        return sum;
    }

    private void addHead(float[] identityOutputs, int at, float sum, float total, int head) {
        float average = Quotient.of(sum, total, false);
        identityOutputs[at] = sums.addProduct(identityOutputs[at], inputs.valueOutputIdentities()[head], average);
    }

    /** Uniform weights: the sums of a row are those of the row before and, if it sees more, further steps. */
    private void averageAll(AttentionOutputs outputs, int first, int length) {
        row.weigh(first, 0, Math.min(1, length), 1, 0);
        float weight = length == 0 ? 0 : row.weights[0];
        for (int column = 0; column < shape.width() + shape.identityWidth(); column++) {
            boolean isToken = column >= shape.width();
            int width = isToken ? shape.identityWidth() : shape.width();
            float[] values = isToken ? inputs.tokens() : inputs.values();
            int offset = first * width + (isToken ? column - shape.width() : column);
            float total = 0;
            float sum = 0;
            int count = 0;
            for (int i = 0; i < length; i++) {
                for (; count < shape.seen(i, length); count++) {
                    total = sums.add(total, weight);
                    sum = sums.addProduct(sum, weight, values[offset + count * width]);
                }
                int at = offset + i * width;
                for (int head = 0; isToken && head < shape.heads(); head++) {
                    addHead(outputs.identityOutputs(), at, sum, total, head);
                }
                if (!isToken) {
                    outputs.outputs()[at] = Quotient.of(sum, total, odd);
                }
            }
        }
    }
}
