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
 * The share of a benchmark's processor time that threads other than JMH's worker use: executors, parallel streams,
 * carriers of virtual threads, and threads that the benchmark starts and ends. The calling thread, the compilers and
 * the garbage collector do not count. Works only on Linux.
 */
final class OtherThreads {

    /** Matches the names of HotSpot's threads. Linux truncates them at the end or, from JDK 22 on, in the middle. */
    private static final Pattern HOTSPOT = Pattern.compile(
            "(C1 |C2 |JVMCI|VM |GC Thr|G1 |Shenan|Sweeper|[XZ](Driver|Worker|Direct|Stat|Uncomm|Unmap|Runtim)).*");

    private static final String WORKER = "-jmh-worker-";

    /** Two ticks of the process's CPU clock, which, unlike the clocks of threads, includes ended threads. */
    private static final long TICKS_NANOS = 20_000_000;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final Map<Long, Long> workers = new HashMap<>();
    private final long measurer = threads.getCurrentThreadCpuTime();
    private TaskTimes last = TaskTimes.now();
    // Read after the first readings of the times of threads and before all later readings. Work in between is thus
    // never attributed to an ended thread.
    private final long process = system.getProcessCpuTime();
    private long worked;
    private long hotspot;
    private long all;

    OtherThreads() {
        addWorkers();
        worked = 0;
    }

    /** The share, from 0 to 1, since this object was created. Must be called regularly, because threads end. */
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

    /** Adds the time of the workers since the last call. */
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
