package org.lemmata.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.Function;
import jdk.incubator.vector.FloatVector;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.thread.Workers;

/**
 * Checks that calls do not allocate. Before the JIT compiler has optimized them, vectors are boxed and working space
 * grows, so only a series of calls without allocation counts.
 */
public final class Allocation {

    private static final int CALLS = 50;

    private static final long PATIENCE_NANOSECONDS = 30_000_000_000L;

    private Allocation() {}

    /**
     * Waits until {@link #CALLS} successive calls allocate nothing on any thread; fails if that takes too long. Checks
     * nothing at lane widths that the machine lacks, because these are emulated by objects.
     */
    public static void assertNone(Runnable call) {
        if (Species.FLOAT.length() > FloatVector.SPECIES_PREFERRED.length()) {
            return;
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long deadline = System.nanoTime() + PATIENCE_NANOSECONDS;
        long allocated = 0;
        int quiet = 0;
        while (quiet < CALLS && System.nanoTime() < deadline) {
            long before = threads.getTotalThreadAllocatedBytes();
            call.run();
            allocated = threads.getTotalThreadAllocatedBytes() - before;
            quiet = allocated == 0 ? quiet + 1 : 0;
        }
        assertThat(quiet)
                .as("calls without allocation; the last one allocated %d bytes", allocated)
                .isEqualTo(CALLS);
    }

    /** {@link #assertNone} for calls with one thread, and with two. */
    public static void assertNoneWithThreads(Function<Workers, Runnable> calls) {
        assertNone(calls.apply(Workers.caller()));
        try (Workers workers = Workers.of(2)) {
            assertNone(calls.apply(workers));
        }
    }
}
