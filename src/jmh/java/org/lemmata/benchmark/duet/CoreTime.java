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
 * How long this process, which has one core, wanted it and did not get it, since another had it. Known on Linux alone:
 * a thread's time in the queue of the scheduler is in /proc. Threads of this process wait for each other, too; that is
 * no loss, so that what counts is at most the time that none of them ran.
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

    /** From now on. */
    void start() {
        if (clock != null) {
            queued = queued();
            ran = ran(clock);
        }
    }

    /** Nanoseconds since the start, which lies {@code elapsed} nanoseconds back. */
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

    /** All threads' time in the queue. */
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
            // It ended meanwhile.
            return 0;
        }
    }
}
