package org.lemmata.kernel;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import org.lemmata.argument.Refuse;

/**
 * Finds kernels that are slow or incorrect in this JVM.
 *
 * <p>The decisions of the just-in-time compiler differ between JVM runs. Occasionally it fails to compile a kernel,
 * which then runs at a fiftieth of its speed until the JVM ends. The check calls each kernel and its scalar reference
 * until their best times are stable or {@link #LIMIT} is reached. It compares the two times and the two results.
 */
public final class SelfCheck {

    /** Processor time of the caller, enough to compile all kernels; two otherwise idle processors need 3 to 4 s. */
    public static final Duration LIMIT = Duration.ofSeconds(6);

    /** The kernels take turns of this length, so that one can be compiled while others run. */
    private static final long TURN_NANOS = 1_000_000;

    /** A best time is stable after this many successive turns that each improve it by at most a twentieth. */
    private static final int TURNS_AT_REST = 12;

    private static final double IMPROVEMENT = 0.95;

    public enum Condition {
        OK,
        /** Correct, but slower than {@link Probe#minRatio} requires. */
        SLOW,
        /** Slow, but other work was running and may be the cause; not judged. */
        BUSY,
        /** The difference from the reference is larger than rounding explains. */
        WRONG
    }

    /** A call of a kernel. It returns the array that it wrote. */
    @FunctionalInterface
    public interface Call {
        float[] run();
    }

    /**
     * A kernel at one size.
     *
     * @param method the called method, as a component of {@link Kernels} and its method: "matMul.multiply"
     * @param calls creates the call for given kernels
     * @param exact expected value of each element of the result
     * @param tolerance the maximum difference that rounding explains
     * @param minRatio minimum speed relative to the reference; slower kernels count as slow
     */
    public record Probe(
            String method,
            String name,
            Function<Kernels, Call> calls,
            IntToDoubleFunction exact,
            double tolerance,
            double minRatio) {}

    /**
     * The result of a probe.
     *
     * @param ratio best time of the reference divided by best time of the kernel
     * @param maxError the maximum difference from the reference
     */
    public record Result(
            String name, Condition verdict, double ratio, double minRatio, double maxError, double tolerance) {

        public String description() {
            String speed = timesText(ratio) + " scalar, expected at least " + timesText(minRatio);
            return switch (verdict) {
                case OK -> "ok: " + speed;
                case SLOW -> "slow: " + speed;
                case BUSY -> "busy: not judged: " + speed;
                case WRONG ->
                    "wrong: differs from the scalar kernel by " + maxError + "; expected at most " + tolerance
                            + " (please report it, with the other lines)";
            };
        }

        /** This result, with {@link Condition#BUSY} instead of {@link Condition#SLOW}. */
        public Result besideOtherWork() {
            return verdict == Condition.SLOW
                    ? new Result(name, Condition.BUSY, ratio, minRatio, maxError, tolerance)
                    : this;
        }
    }

    private static String timesText(double ratio) {
        return String.format(Locale.ROOT, ratio < 10 ? "%.1fx" : "%.0fx", ratio);
    }

    private SelfCheck() {}

    /**
     * Checks the kernels of {@code checked} against the scalar kernels.
     *
     * @param names names of the probes to run; empty for all
     * @return a result per probe, in the order of the probes; empty if {@code checked} are scalar themselves
     */
    public static List<Result> run(Kernels checked, List<String> names) {
        return checked.simd() ? run(probes(names), Kernels.scalar(), checked, LIMIT) : List.of();
    }

    private static List<Probe> probes(List<String> names) {
        List<Probe> all = SelfCheckProbes.all();
        List<String> known = all.stream().map(Probe::name).toList();
        for (String name : names) {
            Refuse.when(!known.contains(name), "kernel", "one of " + String.join("; ", known), Refuse.quoted(name));
        }
        return names.isEmpty()
                ? all
                : all.stream().filter(probe -> names.contains(probe.name)).toList();
    }

    static List<Result> run(List<Probe> probes, Kernels reference, Kernels checked, Duration limit) {
        List<Race> races = probes.stream()
                .map(probe -> new Race(probe, reference, checked))
                .toList();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + limit.toNanos();
        while (threads.getCurrentThreadCpuTime() < end && !races.stream().allMatch(Race::isDecided)) {
            races.stream().filter(race -> !race.isDecided()).forEach(Race::run);
        }
        return races.stream().map(Race::result).toList();
    }

    private static final class Race {

        private final Probe probe;
        private final Runner reference;
        private final Runner checked;

        Race(Probe probe, Kernels reference, Kernels checked) {
            this.probe = probe;
            this.reference = new Runner(probe.calls.apply(reference));
            this.checked = new Runner(probe.calls.apply(checked));
        }

        void run() {
            checked.run();
            reference.run();
        }

        /** The verdict on a slow kernel is never final, because the compiler may still compile it. */
        boolean isDecided() {
            return reference.isAtRest() && checked.isAtRest() && ratio() >= probe.minRatio;
        }

        private double ratio() {
            return (double) reference.best / checked.best;
        }

        Result result() {
            // Clears the result, so that the check detects elements that the kernel does not write.
            Arrays.fill(checked.call.run(), Float.NaN);
            float[] result = checked.call.run();
            double maxError = 0;
            for (int i = 0; i < result.length; i++) {
                maxError = Math.max(maxError, Math.abs(result[i] - probe.exact.applyAsDouble(i)));
            }
            return new Result(probe.name, verdict(maxError), ratio(), probe.minRatio, maxError, probe.tolerance);
        }

        private Condition verdict(double maxError) {
            if (!(maxError <= probe.tolerance)) {
                return Condition.WRONG;
            }
            return ratio() < probe.minRatio ? Condition.SLOW : Condition.OK;
        }
    }

    /** Finds the best time of a call. */
    private static final class Runner {

        private final Call call;
        private long best = Long.MAX_VALUE;
        private int turnsAtRest;

        Runner(Call call) {
            this.call = call;
        }

        void run() {
            long before = best;
            long start = System.nanoTime();
            long now = start;
            while (now - start < TURN_NANOS) {
                call.run();
                long end = System.nanoTime();
                best = Math.min(best, Math.max(1, end - now));
                now = end;
            }
            turnsAtRest = best < IMPROVEMENT * before ? 0 : turnsAtRest + 1;
        }

        boolean isAtRest() {
            return turnsAtRest >= TURNS_AT_REST;
        }
    }
}
