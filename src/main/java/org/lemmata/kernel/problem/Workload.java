package org.lemmata.kernel.problem;

import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A call of an operation on numbers from a seed.
 *
 * @param <K> the operation
 * @param reset puts back what a call changes, so that the next one finds what the first one found
 * @param call has an implementation write the result, which is returned
 * @param exact what is expected of each element after a reset; null if only the reference tells
 * @param maxUlps the maximum error that rounding explains, in units of 2^-23 of {@link Sum#size}
 * @param flops additions and multiplications that the formula asks for
 * @param bytes of the arrays that are read and written, each counted once
 */
public record Workload<K>(
        Runnable reset,
        Function<K, float[]> call,
        @Nullable IntFunction<Sum> exact,
        double maxUlps,
        double flops,
        double bytes) {

    /** Of calls that change nothing but the result. */
    Workload(Function<K, float[]> call, @Nullable IntFunction<Sum> exact, double maxUlps, double flops, double bytes) {
        this(() -> {}, call, exact, maxUlps, flops, bytes);
    }

    /** The same with other expectations. */
    public Workload<K> expecting(IntFunction<Sum> newExact) {
        return new Workload<>(reset, call, newExact, maxUlps, flops, bytes);
    }

    /** A call as if it were the first. */
    public float[] run(K implementation) {
        reset.run();
        return call.apply(implementation);
    }
}
