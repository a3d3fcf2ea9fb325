package org.lemmata.benchmark.duet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * For each thread of this process, how long it ran and how long it waited for a processor, in nanoseconds, from the
 * scheduler of Linux. Empty on other systems.
 */
final class TaskTimes {

    private static final Path TASKS = Path.of("/proc/self/task");

    record Times(long ran, long queued) {

        static final Times NONE = new Times(0, 0);
    }

    private final Map<Path, Times> tasks = new HashMap<>();

    private TaskTimes() {}

    static TaskTimes now() {
        var now = new TaskTimes();
        if (Files.isReadable(TASKS.resolveSibling("schedstat"))) {
            try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
                for (Path task : tasks) {
                    now.add(task);
                }
            } catch (IOException e) {
                now.tasks.clear();
            }
        }
        return now;
    }

    private void add(Path task) {
        try {
            String[] words = Files.readString(task.resolve("schedstat"), StandardCharsets.US_ASCII)
                    .split(" ", -1);
            tasks.put(task, new Times(Long.parseLong(words[0]), Long.parseLong(words[1])));
        } catch (IOException e) {
            // The thread has ended.
        }
    }

    /** The times of each running thread since {@code before}, by the directory of the thread. */
    Map<Path, Times> since(TaskTimes before) {
        var since = new HashMap<Path, Times>();
        tasks.forEach((task, now) -> {
            Times then = before.tasks.getOrDefault(task, Times.NONE);
            since.put(task, new Times(now.ran - then.ran, now.queued - then.queued));
        });
        return since;
    }

    /**
     * The time for which this process was ready to run but another process had its only core. Threads of this process
     * also wait for each other, which is no loss. The result is therefore at most the time in which none of them ran.
     *
     * @param elapsed nanoseconds since {@code before}
     */
    long waited(TaskTimes before, long elapsed) {
        Map<Path, Times> since = since(before);
        long ran = since.values().stream().mapToLong(Times::ran).sum();
        long queued = since.values().stream().mapToLong(Times::queued).sum();
        return Math.max(0, Math.min(elapsed - ran, queued));
    }
}
