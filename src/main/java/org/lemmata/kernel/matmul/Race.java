package org.lemmata.kernel.matmul;

import java.util.Arrays;

/**
 * Tells by the clock which of two ways to do the same work is faster on this machine: goes each of them for a few parts
 * of it, in turn, and the faster one from then on. Results must not depend on the way.
 */
final class Race {

    /** Steps of a part, some 10 microseconds each: reading the clock costs nothing beside it. */
    private static final int PART = 16;

    private static final int PARTS = 8;

    /** Of the parts that went a way, the fastest: what another process interrupted does not count. */
    private final long[] fastest = new long[2];

    private int steps;
    private long since;

    void start() {
        Arrays.fill(fastest, Long.MAX_VALUE);
        steps = 0;
    }

    /** Begins a step; whether it is to go the second way. */
    boolean takesSecond() {
        if (steps > PART * PARTS) {
            return fastest[1] < fastest[0];
        }
        if (steps % PART == 0) {
            long now = System.nanoTime();
            if (steps > 0) {
                int way = (steps / PART - 1) % 2;
                fastest[way] = Math.min(fastest[way], now - since);
            }
            since = now;
        }
        return steps++ / PART % 2 == 1;
    }
}
