package org.lemmata.benchmark;

import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.lemmata.kernel.problem.Expected;
import org.lemmata.kernel.problem.Workload;
import org.openjdk.jmh.annotations.CompilerControl;

/** Two implementations of an operation on one workload, each compared with binary64 before it is timed. */
public final class Checked<K> {

    private static final float[] NONE = {};

    private Supplier<float[]> scalar = () -> NONE;
    private Supplier<float[]> vector = scalar;
    private double scalarUlps;
    private double vectorUlps;
    private double flops;
    private double bytes;

    /** Sets both implementations. Checks every {@code step}th element of their results. */
    public void prepare(Workload<K> workload, K reference, K onLanes, int step) {
        double referenceUlps = maxUlps(workload, reference, step);
        set(workload, reference, onLanes, referenceUlps, maxUlps(workload, onLanes, step));
    }

    /** Sets both implementations, with maximum errors that the caller has determined. */
    public void set(Workload<K> workload, K reference, K onLanes, double referenceUlps, double onLanesUlps) {
        scalar = () -> workload.again(reference);
        vector = () -> workload.again(onLanes);
        scalarUlps = referenceUlps;
        vectorUlps = onLanesUlps;
        flops = workload.flops();
        bytes = workload.bytes();
    }

    /**
     * An odd step that checks about a thousand of {@code elements}. It reaches every column if their number is a power
     * of two.
     */
    public static int step(int elements) {
        return Math.max(1, elements / 1000) | 1;
    }

    /**
     * The maximum error of the first call; 0 if the workload has no expected values.
     *
     * @throws IllegalStateException if the error is larger than rounding explains
     */
    public static <K> double maxUlps(Workload<K> workload, K implementation, int step) {
        float[] result = workload.run(implementation);
        IntFunction<Expected> exact = workload.exact();
        double maxUlps = 0;
        for (int at = 0; at < result.length && exact != null; at += step) {
            Expected expected = exact.apply(at);
            double ulps = expected.ulps(result[at]);
            if (!(ulps <= workload.maxUlps())) {
                throw new IllegalStateException(implementation.getClass().getSimpleName() + ": element " + at + " is "
                        + result[at] + ", expected " + expected.value());
            }
            maxUlps = Math.max(maxUlps, ulps);
        }
        return maxUlps;
    }

    /**
     * Compares the results of two implementations.
     *
     * @throws IllegalStateException if a bit of the results differs
     */
    public static <K> void requireSameBits(Workload<K> workload, K reference, K onLanes) {
        float[] expected = workload.run(reference).clone();
        float[] actual = workload.run(onLanes);
        for (int i = 0; i < actual.length; i++) {
            if (Float.floatToIntBits(actual[i]) != Float.floatToIntBits(expected[i])) {
                throw new IllegalStateException("element " + i + ": expected " + expected[i] + ", got " + actual[i]);
            }
        }
    }

    public float[] scalar(Work work, MaxError error) {
        return run(scalar, scalarUlps, work, error);
    }

    public float[] vector(Work work, MaxError error) {
        return run(vector, vectorUlps, work, error);
    }

    /**
     * Not inlined, because the frames of JMH and of this class would count towards the inlining depth of the kernel.
     */
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    private float[] run(Supplier<float[]> call, double ulps, Work work, MaxError error) {
        work.add(flops, bytes);
        error.report(ulps);
        return call.get();
    }
}
