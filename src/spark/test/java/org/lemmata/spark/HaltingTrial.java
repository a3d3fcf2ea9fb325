package org.lemmata.spark;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.lemmata.config.Configuration;
import org.lemmata.config.Section;
import org.lemmata.setting.Setting;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Trial;
import org.lemmata.sweep.TrialContext;

/** A cell that may end the JVM it runs in, as a fault in native code would. */
public final class HaltingTrial implements Trial {

    /** The largest number of these cells that this JVM has run at once. */
    static final AtomicInteger MOST_AT_ONCE = new AtomicInteger();

    private static final AtomicInteger RUNNING = new AtomicInteger();

    private static final int CODE = 77;

    @Override
    public String name() {
        return "halting";
    }

    @Override
    public Section section() {
        return Section.of(
                "",
                List.of(
                        new Setting("seed", "1", "what the result is"),
                        new Setting("halts", "false", "whether it ends the JVM"),
                        new Setting("pause", "0", "milliseconds that it takes")));
    }

    @Override
    public Set<String> free() {
        return Set.of();
    }

    @Override
    public void check(Configuration settings) {
        settings.seed("seed");
        settings.flag("halts");
        settings.integer("pause", 0, 60_000);
    }

    @Override
    public String simd() {
        return "none";
    }

    @Override
    public double cost(Configuration settings) {
        return 1;
    }

    @Override
    public List<Measurement> run(Configuration settings, TrialContext context) {
        if (settings.flag("halts")) {
            Runtime.getRuntime().halt(CODE);
        }
        MOST_AT_ONCE.accumulateAndGet(RUNNING.incrementAndGet(), Math::max);
        try {
            Thread.sleep(settings.integer("pause", 0, 60_000));
        } catch (InterruptedException e) {
            throw new IllegalStateException("no one interrupts the threads of cells", e);
        } finally {
            RUNNING.decrementAndGet();
        }
        double seed = settings.seed("seed");
        return List.of(new Measurement("seed", seed, "", Interval.exact(seed), 1, null));
    }
}
