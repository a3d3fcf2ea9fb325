package org.lemmata.kernel.feedforward;

import org.lemmata.kernel.elementary.Extents;

/**
 * Where in one flat array the parameters of a feed-forward layer lie, matrices row-major and without gaps; their
 * gradients lie at the same places of another array.
 *
 * @param firstWeights W1, inputs x hidden
 * @param firstBias b1, hidden elements, or {@link #ABSENT}
 * @param gain of the normalization, hidden elements, or {@link #ABSENT} for ones
 * @param shift of the normalization, hidden elements, or {@link #ABSENT} for zeros
 * @param secondWeights W2, hidden x outputs
 * @param secondBias b2, outputs elements, or {@link #ABSENT}
 */
public record FeedForwardPlaces(
        int firstWeights, int firstBias, int gain, int shift, int secondWeights, int secondBias) {

    /** The place of what is not there. */
    public static final int ABSENT = -1;

    /** What error messages call the parameters in an array. Made once: a call that fits builds no text. */
    record Names(
            String firstWeights, String firstBias, String gain, String shift, String secondWeights, String secondBias) {

        static Names of(String array) {
            return new Names(
                    array + " (W1)",
                    array + " (b1)",
                    array + " (gain)",
                    array + " (shift)",
                    array + " (W2)",
                    array + " (b2)");
        }
    }

    /** How many elements {@link #packed} takes. */
    int size(FeedForwardShape shape) {
        return packed(shape).secondWeights
                + shape.hidden() * shape.outputs()
                + (secondBias == ABSENT ? 0 : shape.outputs());
    }

    /** The same parameters one after the other from 0 on. */
    FeedForwardPlaces packed(FeedForwardShape shape) {
        int first = shape.inputs() * shape.hidden();
        int next = first + (firstBias == ABSENT ? 0 : shape.hidden());
        int afterGain = next + (gain == ABSENT ? 0 : shape.hidden());
        int second = afterGain + (shift == ABSENT ? 0 : shape.hidden());
        return new FeedForwardPlaces(
                0,
                firstBias == ABSENT ? ABSENT : first,
                gain == ABSENT ? ABSENT : next,
                shift == ABSENT ? ABSENT : afterGain,
                second,
                secondBias == ABSENT ? ABSENT : second + shape.hidden() * shape.outputs());
    }

    /** Moved by {@code offset}. */
    FeedForwardPlaces from(int offset) {
        return new FeedForwardPlaces(
                firstWeights + offset,
                firstBias == ABSENT ? ABSENT : firstBias + offset,
                gain == ABSENT ? ABSENT : gain + offset,
                shift == ABSENT ? ABSENT : shift + offset,
                secondWeights + offset,
                secondBias == ABSENT ? ABSENT : secondBias + offset);
    }

    void check(Names names, float[] data, FeedForwardShape shape) {
        Extents.checkMatrix(names.firstWeights, data, firstWeights, shape.hidden(), shape.inputs(), shape.hidden());
        Extents.checkMatrix(names.secondWeights, data, secondWeights, shape.outputs(), shape.hidden(), shape.outputs());
        checkVector(names.firstBias, data, firstBias, shape.hidden());
        checkVector(names.secondBias, data, secondBias, shape.outputs());
        if (shape.normalization() == null && (gain != ABSENT || shift != ABSENT)) {
            throw new IllegalArgumentException(
                    "gain, shift: expected none without a normalization, got places " + gain + ", " + shift);
        }
        checkVector(names.gain, data, gain, shape.hidden());
        checkVector(names.shift, data, shift, shape.hidden());
    }

    private static void checkVector(String name, float[] data, int offset, int length) {
        if (offset != ABSENT) {
            Extents.checkVector(name, data, offset, length);
        }
    }
}
