package org.lemmata.sweep;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
import org.lemmata.setting.Setting;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;

/** A cell that computes a given number of rounds on one thread with almost no memory, and records its time. */
public final class SpinTrial implements Trial {

    /** The sum of the processor times of all cells of this JVM. */
    private static final LongAdder BUSY_NANOS = new LongAdder();

    /** The sum of the wall-clock times of all cells of this JVM, also of simultaneous cells. */
    private static final LongAdder CLOCK_NANOS = new LongAdder();

    private static final String ROUNDS = "rounds";

    static double busySeconds() {
        return BUSY_NANOS.sum() * 1e-9;
    }

    static double clockSeconds() {
        return CLOCK_NANOS.sum() * 1e-9;
    }

    /** Computes the result of a cell. */
    static long spin(long seed, int rounds) {
        long word = seed;
        for (int i = 0; i < rounds; i++) {
            // xorshift64. Each round depends on the previous round, so none can be skipped.
            word ^= word << 13;
            word ^= word >>> 7;
            word ^= word << 17;
        }
        return word;
    }

    /** The recorded value: the upper bits, which binary64 represents exactly. */
    static double value(long word) {
        return word >>> 11;
    }

    @Override
    public String name() {
        return "spin";
    }

    @Override
    public Section section() {
        return Section.of(
                "", List.of(new Setting(SEED, "1", "determines the result"), new Setting(ROUNDS, "0", "rounds")));
    }

    @Override
    public Set<String> free() {
        return Set.of();
    }

    @Override
    public void check(Configuration settings) {
        settings.seed(SEED);
        rounds(settings);
    }

    private static int rounds(Configuration settings) {
        return settings.integer(ROUNDS, 0, Integer.MAX_VALUE);
    }

    @Override
    public String simd() {
        return "none";
    }

    @Override
    public double cost(Configuration settings) {
        return 1.0 + rounds(settings);
    }

    @Override
    public List<Measurement> run(Configuration settings, TrialContext context) {
        var threads = ManagementFactory.getThreadMXBean();
        long start = System.nanoTime();
        long before = threads.getCurrentThreadCpuTime();
        double value = value(spin(settings.seed(SEED), rounds(settings)));
        BUSY_NANOS.add(threads.getCurrentThreadCpuTime() - before);
        CLOCK_NANOS.add(System.nanoTime() - start);
        return List.of(new Measurement("word", value, "", Interval.exact(value), 1, null));
    }
}
