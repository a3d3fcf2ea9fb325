package org.lemmata.benchmark;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The work of a row as rates, to be compared with the peaks of {@code MachineBenchmark}. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.OPERATIONS)
public class Work {

    /** Billions of additions and multiplications of the formula, not counting additional work of the kernel. */
    public double gigaflops;

    /** Billions of bytes in the arrays that are read and written, each counted once. */
    public double gigabytes;

    @Setup(Level.Iteration)
    public void clear() {
        gigaflops = 0;
        gigabytes = 0;
    }

    public void add(double flops, double bytes) {
        gigaflops += 1e-9 * flops;
        gigabytes += 1e-9 * bytes;
    }
}
