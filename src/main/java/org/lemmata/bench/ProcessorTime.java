package org.lemmata.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/**
 * The time that the machine's cores have spent since the machine started, in ticks, from the first line of /proc/stat.
 *
 * @param total the total of all cores
 * @param busy the time in which a core worked for any process
 * @param stolen the time in which the hypervisor gave a core to another machine although this machine had work
 */
public record ProcessorTime(long total, long busy, long stolen) {

    private static final Path STAT = Path.of("/proc/stat");
    private static final int IDLE = 3;
    private static final int WAITING = 4;
    private static final int STOLEN = 7;

    /** Linux reports hundredths of a second, independent of its clock rate. */
    private static final double TICKS_A_MILLISECOND = 0.1;

    /** The number of fields to add up. The later fields, for guests, are already part of the user time. */
    private static final int FIELDS = 8;

    /** The time since the machine started; all 0 if the system does not report it. */
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

    /** The busy share of all cores since {@code before}; NaN if unknown. */
    double busyShare(ProcessorTime before) {
        return (double) (busy - before.busy) / (total - before.total);
    }

    /** The busy and stolen share of all cores since {@code before}, minus our own time; NaN if unknown. */
    public double othersShare(ProcessorTime before, Duration own) {
        return busyShare(before) + stolenShare(before) - own.toMillis() * TICKS_A_MILLISECOND / (total - before.total);
    }

    /** The stolen share of all cores since {@code before}; NaN if unknown. */
    double stolenShare(ProcessorTime before) {
        return (double) (stolen - before.stolen) / (total - before.total);
    }
}
