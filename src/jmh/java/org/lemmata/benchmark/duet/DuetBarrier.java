package org.lemmata.benchmark.duet;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Lets each iteration of two JVMs begin at the same time, and tells when it ran: JMH calls its internal profilers right
 * before and after an iteration. {@code bench} starts both with {@code -prof
 * org.lemmata...DuetBarrier:SIDE,CORE,OTHER,FILE}. The two swap their cores before each iteration, so that one that is
 * slower for some seconds, as where another virtual machine has a part of it, slows both sides alike.
 *
 * <p>The two meet in a file of four longs that both have mapped, each in a cache line of its own: whether nobody is to
 * be waited for, the process to which both belong, and how often either side has come to a meeting.
 */
public final class DuetBarrier implements InternalProfiler {

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int CACHE_LINE = 64;
    private static final int RELEASED = 0;
    private static final int OWNER = CACHE_LINE;
    private static final int FIRST_SIDE = 2 * CACHE_LINE;
    private static final int LENGTH = 4 * CACHE_LINE;

    /** Half of what the scheduler takes to wake a thread: the compiler's threads may have the core meanwhile. */
    private static final long POLL_NANOS = 20_000;

    /** How often the owner is looked for: 40 milliseconds or more. */
    private static final int POLLS_OF_OWNER = 2_000;

    /** What JMH still does of an iteration while the next one could begin: its own process prints. */
    private static final long SETTLE_NANOS = 3_000_000;

    private final ByteBuffer meeting;
    private final int own;
    private final int other;
    private final int[] cores;
    private @Nullable CoreTime time;
    private int core;
    private int iterations;
    private long start;

    /**
     * Joins a meeting.
     *
     * @param place side (0 or 1), its first core and that of the other side (both -1 where they may move), and the file
     */
    public DuetBarrier(String place) throws IOException {
        String[] words = place.split(",", 4);
        int side = Integer.parseInt(words[0]);
        cores = new int[] {Integer.parseInt(words[1]), Integer.parseInt(words[2])};
        core = cores[0];
        own = FIRST_SIDE + side * CACHE_LINE;
        other = FIRST_SIDE + (1 - side) * CACHE_LINE;
        try (var channel = FileChannel.open(Path.of(words[3]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            meeting = channel.map(MapMode.READ_WRITE, 0, LENGTH);
        }
    }

    @Override
    public String getDescription() {
        return "begins each iteration together with another JVM's";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        if (time == null) {
            // Not in the constructor, which JMH's own process calls, too.
            time = new CoreTime();
        }
        requireOwner();
        LockSupport.parkNanos(SETTLE_NANOS);
        meet();
        if (cores[0] >= 0) {
            // Not before: the other side may still measure there.
            core = cores[iterations++ % 2];
            ProcessCore.moveTo(core);
            meet();
        }
        Objects.requireNonNull(time).start();
        start = System.nanoTime();
    }

    /** Until both sides have come here as often. */
    private void meet() {
        // Only this side writes here.
        long arrivals = (long) LONG.getVolatile(meeting, own) + 1;
        LONG.setVolatile(meeting, own, arrivals);
        int polls = 0;
        while ((long) LONG.getVolatile(meeting, other) < arrivals && (long) LONG.getVolatile(meeting, RELEASED) == 0) {
            LockSupport.parkNanos(POLL_NANOS);
            if (++polls % POLLS_OF_OWNER == 0) {
                requireOwner();
            }
        }
    }

    /** Forks of a run that was killed end: the run that goes on would have them beside its own. */
    private void requireOwner() {
        if (ProcessHandle.of((long) LONG.getVolatile(meeting, OWNER))
                .filter(ProcessHandle::isAlive)
                .isEmpty()) {
            throw new IllegalStateException("expected a running process that this pair of forks belongs to, got none");
        }
    }

    /**
     * In microseconds, two times of the clock that all processes of a machine share, and how long others had the core;
     * and which core it was.
     */
    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long end = System.nanoTime();
        return List.of(
                metric("duet.start", start / 1e3, "us"),
                metric("duet.end", end / 1e3, "us"),
                metric("duet.waited", Objects.requireNonNull(time).waited(end - start) / 1e3, "us"),
                metric("duet.core", core, "number"));
    }

    private static ScalarResult metric(String name, double value, String unit) {
        return new ScalarResult(name, value, unit, AggregationPolicy.AVG);
    }
}
