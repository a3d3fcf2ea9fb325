package org.lemmata.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The processors for two forks at a time.
 *
 * @param processors for each physical core that this process may use, the number of one processor; empty if unknown
 * @param physical the number of physical cores that this process may use at once; of processors if the cores are
 *     unknown
 * @param pins whether a process can be pinned to a processor
 */
record Cores(List<Integer> processors, int physical, boolean pins) {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path CPUS = Path.of("/sys/devices/system/cpu");

    private static final Pattern ALLOWED = Pattern.compile("(?m)^Cpus_allowed_list:\\s*(\\S+)$");

    /** A program of util-linux, which most distributions have. */
    private static final String PIN = "taskset";

    static Cores available() throws IOException {
        List<Integer> processors =
                Files.isReadable(STATUS) ? physical(Files.readString(STATUS, StandardCharsets.UTF_8), CPUS) : List.of();
        // A container's share of CPU time may be smaller than its number of processors suggests.
        int share = Runtime.getRuntime().availableProcessors();
        return processors.isEmpty()
                ? new Cores(processors, share, false)
                : new Cores(processors, Math.min(processors.size(), share), canPin(processors.getLast()));
    }

    /**
     * The first processor of each physical core.
     *
     * @param status the status of this process, which lists the processors that it may use
     * @param cpus a directory with one directory per processor, where a file lists the processors on the same core
     */
    static List<Integer> physical(String status, Path cpus) throws IOException {
        Matcher allowed = ALLOWED.matcher(status);
        if (!allowed.find()) {
            return List.of();
        }
        Set<Integer> taken = new HashSet<>();
        var processors = new ArrayList<Integer>();
        for (int processor : numbers(allowed.group(1))) {
            if (taken.contains(processor)) {
                continue;
            }
            processors.add(processor);
            Path siblings = cpus.resolve("cpu" + processor).resolve("topology").resolve("thread_siblings_list");
            if (Files.isReadable(siblings)) {
                taken.addAll(numbers(
                        Files.readString(siblings, StandardCharsets.UTF_8).strip()));
            }
        }
        return processors;
    }

    /** The numbers in a list such as "0-3,8". */
    private static List<Integer> numbers(String list) {
        return Stream.of(list.split(",", -1))
                .map(range -> range.split("-", -1))
                .flatMap(ends -> IntStream.rangeClosed(
                                Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
                        .boxed())
                .toList();
    }

    private static boolean canPin(int processor) {
        try {
            Process process = new ProcessBuilder(PIN, "-c", Integer.toString(processor), "true")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.onExit().join().exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** The processor on which a fork of a duet begins, from its {@link BenchmarkPlan#place}; -1 without pinning. */
    int processor(int first) {
        return pins ? processors.get(first) : -1;
    }

    /** The start of a command line that pins a process to a processor; empty for -1. */
    static List<String> pinned(int processor) {
        return processor < 0 ? List.of() : List.of(PIN, "-c", Integer.toString(processor));
    }
}
