package org.lemmata.sweep;

/**
 * The files that stay in the directory of a finished cell; each constant includes the files of the constants before it.
 */
public enum Keep {
    /** Configuration, result, curve. */
    RESULTS,
    /** Also the trained weights. */
    WEIGHTS,
    /** Also the last two checkpoints. */
    CHECKPOINTS
}
