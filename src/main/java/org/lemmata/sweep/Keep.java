package org.lemmata.sweep;

/** What stays in the directory of a cell that is done; each keeps what those before it do. */
public enum Keep {
    /** Configuration, result, curve. */
    RESULTS,
    /** The trained weights. */
    WEIGHTS,
    /** What the cell could have gone on from. */
    CHECKPOINTS
}
