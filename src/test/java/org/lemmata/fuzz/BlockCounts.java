package org.lemmata.fuzz;

/**
 * How often each basic block ran, up to 127; {@link ProbedClasses} inserts the calls. Every loader has its own copy.
 */
public final class BlockCounts {

    /** By block; the blocks of all classes that a reader loads fit. */
    static final byte[] COUNTS = new byte[1 << 18];

    private BlockCounts() {}

    /** Counts a run of a block. */
    public static void hit(int block) {
        if (COUNTS[block] != Byte.MAX_VALUE) {
            COUNTS[block]++;
        }
    }
}
