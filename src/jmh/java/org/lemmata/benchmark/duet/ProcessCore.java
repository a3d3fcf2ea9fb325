package org.lemmata.benchmark.duet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Pins all threads of this process to a core, on Linux. */
final class ProcessCore {

    private static final Path TASKS = Path.of("/proc/self/task");

    /** The size of the C library's CPU set. */
    private static final int CORES = 1024;

    private static final MethodHandle SET_AFFINITY = setAffinity();

    private ProcessCore() {}

    @SuppressWarnings("restricted")
    private static MethodHandle setAffinity() {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("sched_setaffinity"),
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
    }

    /** Moves all threads to a core; new threads inherit the core of the thread that starts them. */
    static void moveTo(int core) {
        try (Arena arena = Arena.ofConfined();
                DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            MemorySegment set = arena.allocate(CORES / Byte.SIZE, Long.BYTES);
            set.setAtIndex(ValueLayout.JAVA_LONG, core / Long.SIZE, 1L << core % Long.SIZE);
            for (Path task : tasks) {
                int thread = Integer.parseInt(task.getFileName().toString());
                if (move(thread, set) != 0 && Files.exists(task)) {
                    throw new IllegalStateException("sched_setaffinity: expected core " + core + " to be allowed");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int move(int thread, MemorySegment set) {
        try {
            return (int) SET_AFFINITY.invokeExact(thread, set.byteSize(), set);
        } catch (Throwable e) {
            throw new IllegalStateException("sched_setaffinity", e);
        }
    }
}
