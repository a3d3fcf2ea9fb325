package org.lemmata.kernel;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.AttentionInputs;
import org.lemmata.kernel.attention.AttentionOutputs;
import org.lemmata.kernel.attention.AttentionShape;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.softmax.Softmax;

/**
 * Looks for kernels that are slow or wrong in this JVM.
 *
 * <p>The just-in-time compiler decides anew in every JVM, and now and then it leaves one kernel aside, which then runs at
 * a fiftieth of its speed until the JVM ends. A check calls each kernel until its best time has come to rest, does the
 * same with the scalar reference, and compares the two, and the result with binary64.
 */
public final class SelfCheck {

    /** Processor time enough for the compiler to come to all kernels; a machine without other work takes half of it. */
    public static final Duration LIMIT = Duration.ofSeconds(2);

    /** Lanes of 128 bits gain more than this, and a kernel that was not compiled is slower than the scalar one. */
    private static final double LEAST_RATIO = 3;

    /** The kernels take turns, so that the compiler works on one while another is called. */
    private static final long TURN_NANOS = 2_000_000;

    /** A best time that has not improved by a twentieth in this many turns has come to rest. */
    private static final int TURNS_AT_REST = 12;

    private static final double IMPROVEMENT = 0.95;

    /** What became of a kernel. */
    public enum Verdict {
        OK,
        /** Right, but hardly faster than the reference, or slower. */
        SLOW,
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
     * @param name for people
     * @param calls the call with the implementation that is among these kernels
     * @param exact each element of the result in binary64
     * @param tolerance the greatest difference that rounding explains
     * @param leastRatio the speed over the reference below which it counts as slow
     */
    public record Probe(
            String name,
            Function<Kernels, Call> calls,
            IntToDoubleFunction exact,
            double tolerance,
            double leastRatio) {}

    /**
     * What a probe found.
     *
     * @param ratio best time of the reference over best time of the kernel
     * @param maxError the greatest difference from binary64
     */
    public record Result(
            String name, Verdict verdict, double ratio, double leastRatio, double maxError, double tolerance) {

        /** One line for people. */
        public String description() {
            String speed = String.format(Locale.ROOT, ratio < 10 ? "%.1fx" : "%.0fx", ratio);
            return switch (verdict) {
                case OK -> "ok " + speed;
                case SLOW ->
                    "slow: " + speed + " scalar; expected at least " + String.format(Locale.ROOT, "%.0fx", leastRatio)
                            + " (a kernel that the compiler left aside stays slow until the JVM ends: start again)";
                case WRONG ->
                    "wrong: differs from binary64 by " + maxError + "; expected at most " + tolerance
                            + " (please report it, with the other lines)";
            };
        }
    }

    private SelfCheck() {}

    /**
     * Checks the kernels of {@code checked} against the scalar ones.
     *
     * @return a result a kernel, in the order of the probes; none where {@code checked} are scalar themselves
     */
    public static List<Result> run(Kernels checked) {
        return checked.simd() ? run(probes(), Kernels.scalar(), checked, LIMIT) : List.of();
    }

    static List<Result> run(List<Probe> probes, Kernels reference, Kernels checked, Duration limit) {
        List<Race> races =
                probes.stream().map(probe -> new Race(probe, reference, checked)).toList();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long end = threads.getCurrentThreadCpuTime() + limit.toNanos();
        while (threads.getCurrentThreadCpuTime() < end && !races.stream().allMatch(Race::isDecided)) {
            races.forEach(Race::run);
        }
        return races.stream().map(Race::result).toList();
    }

    /** Every operation has its line. */
    static List<Probe> probes() {
        return List.of(matMul(), softmax(), attention());
    }

    private static Probe matMul() {
        int n = 64;
        float[] a = random(n * n, 1);
        float[] b = random(n * n, 2);
        float[] c = new float[n * n];
        double[] exact = new double[n * n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                for (int l = 0; l < n; l++) {
                    exact[i * n + j] += (double) a[i * n + l] * b[l * n + j];
                }
            }
        }
        // n products below 1 in a chain of n roundings.
        return probe("matrix product 64³", n * n * 0x1p-24, exact, kernels -> {
            MatMul matMul = kernels.matMul();
            return () -> {
                matMul.multiply(MatMul.Form.NN, false, c, 0, n, a, 0, n, b, 0, n, n, n, n);
                return c;
            };
        });
    }

    private static Probe softmax() {
        int rows = 16;
        int columns = 256;
        float[] scores = random(rows * columns, 3);
        float[] values = new float[rows * columns];
        double[] exact = new double[rows * columns];
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int j = i * columns; j < (i + 1) * columns; j++) {
                exact[j] = Math.exp(scores[j]);
                sum += exact[j];
            }
            for (int j = i * columns; j < (i + 1) * columns; j++) {
                exact[j] /= sum;
            }
        }
        // Probabilities below e^2 / columns with a sum of as many roundings.
        return probe("softmax of rows of 256", 8 * 0x1p-24, exact, kernels -> {
            Softmax softmax = kernels.softmax();
            return () -> {
                softmax.forwardInto(values, 0, columns, scores, 0, columns, rows, columns);
                return values;
            };
        });
    }

    private static Probe attention() {
        int length = 128;
        int width = 32;
        var shape = new AttentionShape(AttentionShape.Weighting.SOFTMAX, 1, width, 0.25f);
        RaggedOffsets sequences = RaggedOffsets.ofLengths(length);
        float[] queries = random(length * width, 4);
        float[] keys = random(length * width, 5);
        float[] values = random(length * width, 6);
        float[] outputs = new float[length * width];
        AttentionInputs inputs = AttentionInputs.of(queries, keys, values);
        AttentionOutputs written = AttentionOutputs.of(outputs);
        double[] exact = new double[length * width];
        for (int i = 0; i < length; i++) {
            double sum = 0;
            for (int j = 0; j <= i; j++) {
                double score = 0;
                for (int l = 0; l < width; l++) {
                    score += (double) queries[i * width + l] * keys[j * width + l];
                }
                double weight = Math.exp(shape.scoreScale() * score);
                sum += weight;
                for (int l = 0; l < width; l++) {
                    exact[i * width + l] += weight * values[j * width + l];
                }
            }
            for (int l = 0; l < width; l++) {
                exact[i * width + l] /= sum;
            }
        }
        // Scores below 8 with a rounding for each of their terms, and means of values below 1.
        return probe("attention of length 128", (8 * width + length) * 0x1p-24, exact, kernels -> {
            Attention attention = kernels.attention();
            return () -> {
                attention.forward(written, inputs, sequences, shape);
                return outputs;
            };
        });
    }

    private static Probe probe(String name, double tolerance, double[] exact, Function<Kernels, Call> calls) {
        return new Probe(name, calls, i -> exact[i], tolerance, LEAST_RATIO);
    }

    private static float[] random(int length, long seed) {
        var random = new SplittableRandom(seed);
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextDouble(-1, 1);
        }
        return x;
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
            return reference.isAtRest() && checked.isAtRest() && ratio() >= probe.leastRatio;
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
            return new Result(probe.name, verdict(maxError), ratio(), probe.leastRatio, maxError, probe.tolerance);
        }

        private Verdict verdict(double maxError) {
            if (!(maxError <= probe.tolerance)) {
                return Verdict.WRONG;
            }
            return ratio() < probe.leastRatio ? Verdict.SLOW : Verdict.OK;
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
