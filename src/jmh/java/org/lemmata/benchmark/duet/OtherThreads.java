package org.lemmata.benchmark.duet;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * How much of the processor time of a benchmark is that of other threads than JMH's worker: executors, parallel
 * streams, carriers of virtual threads, threads that it starts and ends. Not counted are the thread that asks, the
 * compilers and the collector of garbage. Known on Linux only.
 */
final class OtherThreads {

    /** The names of threads of HotSpot, which Linux cuts at their end or, from JDK 22 on, in their middle. */
    private static final Pattern HOTSPOT = Pattern.compile(
            "(C1 |C2 |JVMCI|VM |GC Thr|G1 |Shenan|Sweeper|[XZ](Driver|Worker|Direct|Stat|Uncomm|Unmap|Runtim)).*");

    private static final String WORKER = "-jmh-worker-";

    /** The clock of all threads of a process, those that ended too, has ticks of 10 ms. */
    private static final long TICKS_NANOS = 20_000_000;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final Map<Long, Long> workers = new HashMap<>();
    private final long measurer = threads.getCurrentThreadCpuTime();
    private TaskTimes last = TaskTimes.now();
    // After the threads' times at the beginning and before them later: what runs in between is no ended thread's.
    private final long process = system.getProcessCpuTime();
    private long worked;
    private long hotspot;
    private long all;

    /** Begins now. */
    OtherThreads() {
        addWorkers();
        worked = 0;
    }

    /** The share, from 0 to 1, since the beginning. To be called now and then: threads end. */
    double share() {
        long sum = system.getProcessCpuTime() - process;
        TaskTimes now = TaskTimes.now();
        now.since(last).forEach((task, times) -> {
            all += times.ran();
            hotspot += isHotspot(task) ? times.ran() : 0;
        });
        last = now;
        addWorkers();
        if (all == 0) {
            return 0;
        }
        long ended = Math.max(0, sum - all - TICKS_NANOS);
        long own = worked + threads.getCurrentThreadCpuTime() - measurer;
        long others = Math.max(0, all - hotspot - own) + ended;
        return others / (double) Math.max(1, others + worked);
    }

    private static boolean isHotspot(Path task) {
        try {
            return HOTSPOT.matcher(Files.readString(task.resolve("comm"), StandardCharsets.UTF_8)
                            .strip())
                    .matches();
        } catch (IOException e) {
            return false;
        }
    }

    /** Adds what the workers ran since the last time. */
    private void addWorkers() {
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().contains(WORKER)) {
                long now = Math.max(0, threads.getThreadCpuTime(thread.getThreadId()));
                Long before = workers.put(thread.getThreadId(), now);
                worked += now - (before == null ? 0 : before);
            }
        }
    }
}
