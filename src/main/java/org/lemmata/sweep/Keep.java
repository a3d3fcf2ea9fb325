package org.lemmata.sweep;

/** The files that stay in the directory of a finished cell; each constant also keeps the files of the earlier ones. */
public enum Keep {
    /** Configuration, result, curve. */
    RESULTS,
    /** The trained weights. */
    WEIGHTS,
    /** The last checkpoint. */
    CHECKPOINTS
}
