package org.lemmata.kernel.problem;

import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A call of an operation on numbers from a seed.
 *
 * @param <K> the operation
 * @param reset puts back what a call changes, so that the next one finds what the first one found
 * @param result what a call writes
 * @param call has an implementation write the result
 * @param exact what is expected of each element after a reset; null if only the reference tells
 * @param maxUlps the maximum error that rounding explains, in units of 2^-23 of {@link Sum#size}
 * @param flops additions and multiplications that the formula asks for
 * @param bytes of the arrays that are read and written, each counted once
 */
@SuppressWarnings("ArrayRecordComponent") // What calls write; nobody compares or prints it.
public record Workload<K>(
        Runnable reset,
        float[] result,
        Consumer<K> call,
        @Nullable IntFunction<Sum> exact,
        double maxUlps,
        double flops,
        double bytes) {

    /** Of calls that change nothing but the result. */
    public Workload(
            float[] result,
            Consumer<K> call,
            @Nullable IntFunction<Sum> exact,
            double maxUlps,
            double flops,
            double bytes) {
        this(() -> {}, result, call, exact, maxUlps, flops, bytes);
    }

    /** The same with other expectations. */
    public Workload<K> expecting(IntFunction<Sum> newExact) {
        return new Workload<>(reset, result, call, newExact, maxUlps, flops, bytes);
    }

    /** A call as if it were the first. */
    public float[] run(K implementation) {
        reset.run();
        return again(implementation);
    }

    /** A further call; returns the result. */
    public float[] again(K implementation) {
        call.accept(implementation);
        return result;
    }
}
