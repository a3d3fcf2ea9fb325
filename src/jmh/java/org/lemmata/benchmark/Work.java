package org.lemmata.benchmark;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The work of a kernel's row as rates, to compare with the peaks of {@code MachineBenchmark}. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.OPERATIONS)
public class Work {

    /** Billions of additions and multiplications of the formula, without additional work of the kernel. */
    public double gigaflops;

    /** Billions of bytes of the arrays read and written, each counted once. */
    public double gigabytes;

    @Setup(Level.Iteration)
    public void clear() {
        gigaflops = 0;
        gigabytes = 0;
    }

    /** Adds the work of one call. */
    public void add(double flops, double bytes) {
        gigaflops += 1e-9 * flops;
        gigabytes += 1e-9 * bytes;
    }
}
