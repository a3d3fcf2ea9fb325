package org.lemmata.dataset;

import org.lemmata.task.Task;
import org.lemmata.train.Split;

/**
 * The splits of a data set, in the order in which they are drawn. A new split must come last, so that the examples of
 * the others do not change.
 */
public enum DataSplit {
    TRAIN("train", Split.TRAIN),
    TEST("test", Split.TEST),
    /** Held-out examples of the task. */
    OUT_OF_SAMPLE("outOfSample", Split.OUT_OF_SAMPLE),
    VALIDATION("validation", Split.VALIDATION);

    private final String label;
    private final Split draws;

    DataSplit(String label, Split draws) {
        this.label = label;
        this.draws = draws;
    }

    public String label() {
        return label;
    }

    /** The split whose random numbers are used for drawing distinct examples. */
    Split draws() {
        return draws;
    }

    /** The task from which the examples of this split are drawn, derived from {@code task}. */
    Task source(Task task) {
        return switch (this) {
            case TRAIN -> task;
            case TEST -> task.test();
            case VALIDATION -> task.validation();
            case OUT_OF_SAMPLE -> task.outOfSample().orElseThrow();
        };
    }
}
