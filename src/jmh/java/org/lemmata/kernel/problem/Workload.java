package org.lemmata.kernel.problem;

import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A call of an operation on seeded random numbers.
 *
 * @param <K> the operation
 * @param reset restores what a call changes, so that the next call has the inputs of the first call
 * @param result the array that {@code call} writes
 * @param call runs an implementation, which writes the result
 * @param exact the expected value of each element after a reset; null if only the reference defines it
 * @param maxUlps the maximum error that rounding explains, in units of 2^-23 of {@link Expected#size}
 * @param flops additions and multiplications of the formula
 * @param bytes size of the arrays that are read and written, each counted once
 */
@SuppressWarnings("ArrayRecordComponent") // Calls write to this array; it is never compared or printed.
public record Workload<K>(
        Runnable reset,
        float[] result,
        Consumer<K> call,
        @Nullable IntFunction<Expected> exact,
        double maxUlps,
        double flops,
        double bytes) {

    /** A call that changes only {@code result}. */
    public Workload(
            float[] result,
            Consumer<K> call,
            @Nullable IntFunction<Expected> exact,
            double maxUlps,
            double flops,
            double bytes) {
        this(() -> {}, result, call, exact, maxUlps, flops, bytes);
    }

    public Workload<K> expecting(IntFunction<Expected> newExact) {
        return new Workload<>(reset, result, call, newExact, maxUlps, flops, bytes);
    }

    /** Resets, then calls. Returns the result. */
    public float[] run(K implementation) {
        reset.run();
        return again(implementation);
    }

    /** Calls without a reset. Returns the result. */
    public float[] again(K implementation) {
        call.accept(implementation);
        return result;
    }
}
