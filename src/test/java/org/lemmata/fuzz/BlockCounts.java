package org.lemmata.fuzz;

/**
 * Counts the runs of each basic block, up to 127. {@link ProbedClasses} inserts the calls. Every loader has its copy.
 */
public final class BlockCounts {

    /** The counts by block, with space for the blocks of all classes that a reader loads. */
    static final byte[] COUNTS = new byte[1 << 18];

    private BlockCounts() {}

    /** Counts a run of a block. */
    public static void hit(int block) {
        if (COUNTS[block] != Byte.MAX_VALUE) {
            COUNTS[block]++;
        }
    }
}
