package org.lemmata.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/**
 * How the cores of the machine have spent their time since it started, in ticks, from the first line of /proc/stat.
 *
 * @param total of all cores
 * @param busy at work for anybody
 * @param stolen wanted, and given to others by the hypervisor
 */
public record ProcessorTime(long total, long busy, long stolen) {

    private static final Path STAT = Path.of("/proc/stat");
    private static final int IDLE = 3;
    private static final int WAITING = 4;
    private static final int STOLEN = 7;

    /** Linux shows hundredths of seconds, whatever its clock does. */
    private static final double TICKS_A_MILLISECOND = 0.1;

    /** Time of guests is part of the user's already. */
    private static final int FIELDS = 8;

    /** Until now; all 0 where the system does not show it. */
    public static ProcessorTime now() {
        try {
            return of(Files.readString(STAT, StandardCharsets.UTF_8));
        } catch (IOException e) {
            return new ProcessorTime(0, 0, 0);
        }
    }

    static ProcessorTime of(String stat) {
        String[] words = stat.lines().findFirst().orElse("").strip().split("\\s+");
        if (words.length <= FIELDS || !words[0].equals("cpu")) {
            return new ProcessorTime(0, 0, 0);
        }
        long[] ticks =
                Arrays.stream(words, 1, FIELDS + 1).mapToLong(Long::parseLong).toArray();
        long total = Arrays.stream(ticks).sum();
        return new ProcessorTime(total, total - ticks[IDLE] - ticks[WAITING] - ticks[STOLEN], ticks[STOLEN]);
    }

    /** The share of all cores at work since {@code before}; NaN where it is not known. */
    double busyShare(ProcessorTime before) {
        return (double) (busy - before.busy) / (total - before.total);
    }

    /** The share that others had since {@code before}, beside {@code own} work; NaN where it is not known. */
    public double othersShare(ProcessorTime before, Duration own) {
        return busyShare(before) + stolenShare(before) - own.toMillis() * TICKS_A_MILLISECOND / (total - before.total);
    }

    /** The share that was stolen since {@code before}; NaN where it is not known. */
    double stolenShare(ProcessorTime before) {
        return (double) (stolen - before.stolen) / (total - before.total);
    }
}
