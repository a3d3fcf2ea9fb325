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
 * Looks for kernels that are slow or wrong in this JVM.
 *
 * <p>The just-in-time compiler decides anew in every JVM, and now and then it leaves one kernel aside, which then runs
 * at a fiftieth of its speed until the JVM ends. A check calls each kernel until its best time has come to rest, does
 * the same with the scalar reference, and compares the two, and the result with binary64.
 */
public final class SelfCheck {

    /**
     * Processor time enough for the compiler to come to all kernels; two processors without other work take 3 to 4 s.
     */
    public static final Duration LIMIT = Duration.ofSeconds(6);

    /** The kernels take turns, so that the compiler works on one while another is called. */
    private static final long TURN_NANOS = 1_000_000;

    /** A best time that has not improved by a twentieth in this many turns has come to rest. */
    private static final int TURNS_AT_REST = 12;

    private static final double IMPROVEMENT = 0.95;

    /** What became of a kernel. */
    public enum Condition {
        OK,
        /** Right, but hardly faster than the reference, or slower. */
        SLOW,
        /** The same beside other work, which may be why: not judged. */
        BUSY,
        /** Further from binary64 than rounding explains. */
        WRONG
    }

    /** One call, which returns the array it wrote. */
    @FunctionalInterface
    public interface Call {
        float[] run();
    }

    /**
     * A kernel at one size.
     *
     * @param method what is called, as in "matMul.multiply": the component of {@link Kernels} and its method
     * @param name for people
     * @param calls the call with the implementation that is among these kernels
     * @param exact what is expected of each element of the result
     * @param tolerance the maximum difference that rounding explains
     * @param minRatio the speed over the reference below which it counts as slow
     */
    public record Probe(
            String method,
            String name,
            Function<Kernels, Call> calls,
            IntToDoubleFunction exact,
            double tolerance,
            double minRatio) {}

    /**
     * What a probe found.
     *
     * @param ratio best time of the reference over best time of the kernel
     * @param maxError the maximum difference from binary64
     */
    public record Result(
            String name, Condition verdict, double ratio, double minRatio, double maxError, double tolerance) {

        /** One line for people. */
        public String description() {
            String speed = timesText(ratio) + " scalar, expected at least " + timesText(minRatio);
            return switch (verdict) {
                case OK -> "ok: " + speed;
                case SLOW -> "slow: " + speed;
                case BUSY -> "busy: not judged: " + speed;
                case WRONG ->
                    "wrong: differs from binary64 by " + maxError + "; expected at most " + tolerance
                            + " (please report it, with the other lines)";
            };
        }

        /** The same found beside other work. */
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
     * Checks the kernels of {@code checked} against the scalar ones.
     *
     * @param names of those to check; none for all
     * @return a result a kernel, in the order of the probes; none where {@code checked} are scalar themselves
     */
    public static List<Result> run(Kernels checked, List<String> names) {
        return checked.simd() ? run(probes(names), Kernels.scalar(), checked, LIMIT) : List.of();
    }

    /** @throws IllegalArgumentException if a name is none's */
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

    /** A kernel beside its reference. */
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

        /** A slow kernel is never decided: the compiler may be on its way. */
        boolean isDecided() {
            return reference.isAtRest() && checked.isAtRest() && ratio() >= probe.minRatio;
        }

        private double ratio() {
            return (double) reference.best / checked.best;
        }

        Result result() {
            // What the kernel leaves out must not be there already.
            Arrays.fill(checked.call.run(), Float.NaN);
            float[] result = checked.call.run();
            double maxError = 0;
            for (int i = 0; i < result.length; i++) {
                double error = Math.abs(result[i] - probe.exact.applyAsDouble(i));
                // A NaN stays.
                maxError = error <= maxError ? maxError : error;
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

    /** Takes the best time of a call. */
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
