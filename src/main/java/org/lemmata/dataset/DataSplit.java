package org.lemmata.dataset;

import org.lemmata.task.Task;
import org.lemmata.train.Split;

/** The splits of a data set, in the order in which they are drawn: a new one comes last, and leaves the others be. */
public enum DataSplit {
    TRAIN("train", Split.TRAIN),
    TEST("test", Split.TEST),
    /** Of what the task holds out. */
    OUT_OF_SAMPLE("outOfSample", Split.OUT_OF_SAMPLE),
    VALIDATION("validation", Split.VALIDATION);

    private final String label;
    private final Split draws;

    DataSplit(String label, Split draws) {
        this.label = label;
        this.draws = draws;
    }

    /** Its name in the manifest. */
    public String label() {
        return label;
    }

    /** What its distinct examples are drawn as. */
    Split draws() {
        return draws;
    }

    /** The task that it is drawn from. */
    Task source(Task task) {
        return switch (this) {
            case TRAIN -> task;
            case TEST -> task.test();
            case VALIDATION -> task.validation();
            case OUT_OF_SAMPLE -> task.outOfSample().orElseThrow();
        };
    }
}
