package org.lemmata.train;

/**
 * What examples are used for. Each use has its own streams of random numbers. The numbers of these streams are
 * negative, because dropout in the model uses the streams from 0 on.
 */
public enum Split {
    TRAIN(-1, -2),
    VALIDATION(-3, -4),
    TEST(-5, -6),
    OUT_OF_SAMPLE(-7, -8);

    private final int drawing;
    private final int shuffling;

    Split(int drawing, int shuffling) {
        this.drawing = drawing;
        this.shuffling = shuffling;
    }

    /** The stream that draws examples. */
    int drawing() {
        return drawing;
    }

    /** The stream that orders examples. */
    int shuffling() {
        return shuffling;
    }
}
