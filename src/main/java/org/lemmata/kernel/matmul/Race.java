package org.lemmata.kernel.matmul;

import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Tells by the clock which of two ways to do the same work is faster on this machine: takes each of them for a few
 * parts of it, in turn, and the faster one from then on. Results must not depend on the way.
 */
final class Race {

    /** Steps of a part, which takes some 10 microseconds: reading the clock costs nothing beside it. */
    private static final int PART = 16;

    private static final int PARTS = 8;

    private final LongSupplier clock;

    /** Of the parts that went a way, the fastest: what another process interrupted does not count. */
    private final long[] fastest = new long[2];

    private int part;
    private int step;
    private long since;

    Race() {
        this(System::nanoTime);
    }

    Race(LongSupplier clock) {
        this.clock = clock;
    }

    void start() {
        Arrays.fill(fastest, Long.MAX_VALUE);
        part = 0;
        step = 0;
    }

    /** Begins the part at hand anew: other work came in between. */
    void interrupt() {
        step = 0;
    }

    /** Begins a step; whether it is to go the second way. */
    boolean takesSecond() {
        if (part == PARTS) {
            return fastest[1] < fastest[0];
        }
        if (step == 0) {
            since = clock.getAsLong();
        }
        return part % 2 == 1;
    }

    /** Ends a step. */
    void end() {
        if (part < PARTS && ++step == PART) {
            int way = part++ % 2;
            fastest[way] = Math.min(fastest[way], clock.getAsLong() - since);
            step = 0;
        }
    }
}
