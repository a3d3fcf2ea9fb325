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

    void check(String name, float[] data, FeedForwardShape shape) {
        Extents.checkMatrix(name + " (W1)", data, firstWeights, shape.hidden(), shape.inputs(), shape.hidden());
        Extents.checkMatrix(name + " (W2)", data, secondWeights, shape.outputs(), shape.hidden(), shape.outputs());
        checkVector(name + " (b1)", data, firstBias, shape.hidden());
        checkVector(name + " (b2)", data, secondBias, shape.outputs());
        if (shape.normalization() == null && (gain != ABSENT || shift != ABSENT)) {
            throw new IllegalArgumentException(
                    "gain, shift: expected none without a normalization, got places " + gain + ", " + shift);
        }
        checkVector(name + " (gain)", data, gain, shape.hidden());
        checkVector(name + " (shift)", data, shift, shape.hidden());
    }

    private static void checkVector(String name, float[] data, int offset, int length) {
        if (offset != ABSENT) {
            Extents.checkVector(name, data, offset, length);
        }
    }
}
