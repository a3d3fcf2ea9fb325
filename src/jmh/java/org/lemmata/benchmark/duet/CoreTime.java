package org.lemmata.benchmark.duet;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How long this process, which has one core, waited for it while another process had it. Known only on Linux, where
 * /proc gives each thread's time in the scheduler's queue. Threads of this process also wait for each other, which is
 * no loss, so the result is at most the time that none of them ran.
 */
final class CoreTime {

    private static final Path TASKS = Path.of("/proc/self/task");
    private static final int PROCESS_CPU_TIME = 2;
    private static final long NANOS = 1_000_000_000;

    private final MemorySegment timespec = Arena.global().allocate(2 * Long.BYTES, Long.BYTES);
    private final @Nullable MethodHandle clock = Files.isReadable(TASKS.resolveSibling("schedstat")) ? clock() : null;

    private long queued;
    private long ran;

    @SuppressWarnings("restricted")
    private static MethodHandle clock() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("clock_gettime"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    /** Starts measuring. */
    void start() {
        if (clock != null) {
            queued = queued();
            ran = ran(clock);
        }
    }

    /** Nanoseconds waited since the start, which was {@code elapsed} nanoseconds ago. */
    long waited(long elapsed) {
        if (clock == null) {
            return 0;
        }
        long idle = elapsed - (ran(clock) - ran);
        return Math.max(0, Math.min(idle, queued() - queued));
    }

    private long ran(MethodHandle clock) {
        try {
            int code = (int) clock.invokeExact(PROCESS_CPU_TIME, timespec);
            return code != 0
                    ? 0
                    : NANOS * timespec.getAtIndex(ValueLayout.JAVA_LONG, 0)
                            + timespec.getAtIndex(ValueLayout.JAVA_LONG, 1);
        } catch (Throwable e) {
            throw new IllegalStateException("clock_gettime", e);
        }
    }

    /** Time in the queue, summed over all threads. */
    private static long queued() {
        long nanos = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                nanos += queued(task);
            }
        } catch (IOException e) {
            return 0;
        }
        return nanos;
    }

    private static long queued(Path task) {
        try {
            return Long.parseLong(Files.readString(task.resolve("schedstat"), StandardCharsets.US_ASCII)
                    .split(" ", -1)[1]);
        } catch (IOException e) {
            // The thread has ended.
            return 0;
        }
    }
}
