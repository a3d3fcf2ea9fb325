package org.lemmata.train;

/**
 * What examples are used for, in the order in which {@code lemmata generate} draws them; a new split must come last, so
 * that the examples of the others do not change. Each split has its own streams of random numbers. The numbers of these
 * streams are negative, because dropout in the model uses the streams from 0 on.
 */
public enum Split {
    TRAIN("train", -1),
    TEST("test", -5),
    /** Held-out examples of the task. */
    OUT_OF_SAMPLE("outOfSample", -7),
    VALIDATION("validation", -3);

    private final String label;
    private final int drawing;

    Split(String label, int drawing) {
        this.label = label;
        this.drawing = drawing;
    }

    /** The name in files. */
    public String label() {
        return label;
    }

    /** The stream that draws examples. */
    int drawing() {
        return drawing;
    }

    /** The stream that orders examples. */
    int shuffling() {
        return drawing - 1;
    }
}
