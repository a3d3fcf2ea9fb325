package org.lemmata.train;

/**
 * What examples are for. Each has streams of random numbers of its own, negative ones: those from 0 on are the model's,
 * for dropout.
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

    /** The stream that examples are drawn from. */
    int drawing() {
        return drawing;
    }

    /** The stream that the order of examples is drawn from. */
    int shuffling() {
        return shuffling;
    }
}
