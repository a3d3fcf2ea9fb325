package org.lemmata.benchmark.duet;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Makes the iterations of two JVMs begin at the same time, and reports when they ran. It is an internal profiler,
 * because JMH calls internal profilers directly before and after an iteration. {@code bench} starts both JVMs with
 * {@code -prof org.lemmata...DuetBarrier:SIDE,CORE,OTHER,FILE}. After each iteration, pinned sides swap their cores. A
 * core may be slower for some seconds, for example because another virtual machine shares it; it then slows both sides
 * equally.
 *
 * <p>Both sides map a file of four longs, each in its own cache line. They are: whether waiting is over, the id of the
 * process that owns the two sides, and how often each side has arrived at the barrier.
 */
public final class DuetBarrier implements InternalProfiler {

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int CACHE_LINE = 64;
    private static final int RELEASED = 0;
    private static final int OWNER = CACHE_LINE;
    private static final int FIRST_SIDE = 2 * CACHE_LINE;
    private static final int LENGTH = 4 * CACHE_LINE;

    /** The time between two polls, in which compiler threads can use the core. Waking a thread takes twice as long. */
    private static final long POLL_NANOS = 20_000;

    /** Polls between two checks of the owner, 40 milliseconds or more apart. */
    private static final int POLLS_OF_OWNER = 2_000;

    /** The time for which JMH's own process may still print after an iteration. */
    private static final long SETTLE_NANOS = 3_000_000;

    private static final int MOVES = 5;

    private final ByteBuffer meeting;
    private final int own;
    private final int other;
    private final int[] cores;
    private TaskTimes times = TaskTimes.now();
    private int core;
    private int iterations;
    private long start;

    /**
     * @param place the side (0 or 1), its first core and the first core of the other side (both -1 if forks are not
     *     pinned), and the file, separated by commas
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
        requireOwner();
        LockSupport.parkNanos(SETTLE_NANOS);
        meet();
        if (cores[0] >= 0) {
            // The move must not happen earlier, because the other side may still be measuring on that core.
            core = cores[iterations++ % 2];
            moveTo(core);
            meet();
        }
        times = TaskTimes.now();
        start = System.nanoTime();
    }

    /**
     * Moves all threads of this process to {@code core}. A new thread starts on the core of the thread that starts it.
     */
    private static void moveTo(int core) {
        var command = new ProcessBuilder(
                        "taskset",
                        "-acp",
                        Integer.toString(core),
                        Long.toString(ProcessHandle.current().pid()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        try {
            // An attempt fails if a thread ends while threads are moved.
            for (int attempt = 0; attempt < MOVES; attempt++) {
                if (command.start().waitFor() == 0) {
                    return;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException("taskset: expected core " + core + " to be allowed");
    }

    /** Waits until both sides have arrived equally often, or waiting is over. */
    private void meet() {
        // Only this side writes at {@code own}.
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

    /** Ends this fork if its run was killed, because the fork would disturb the resumed run. */
    private void requireOwner() {
        if (ProcessHandle.of((long) LONG.getVolatile(meeting, OWNER))
                .filter(ProcessHandle::isAlive)
                .isEmpty()) {
            throw new IllegalStateException("expected a running process that this pair of forks belongs to, got none");
        }
    }

    /**
     * Reports four metrics. Three are in microseconds: the start and the end, on a clock that all processes of the
     * machine share, and the time for which other processes had the core. The fourth is the number of the core.
     */
    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long end = System.nanoTime();
        return List.of(
                metric("duet.start", start / 1e3, "us"),
                metric("duet.end", end / 1e3, "us"),
                metric("duet.waited", TaskTimes.now().waited(times, end - start) / 1e3, "us"),
                metric("duet.core", core, "number"));
    }

    private static ScalarResult metric(String name, double value, String unit) {
        return new ScalarResult(name, value, unit, AggregationPolicy.AVG);
    }
}
