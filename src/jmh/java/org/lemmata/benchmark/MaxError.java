package org.lemmata.benchmark;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;

/** The maximum error that the {@code @Setup} of a row found. It is shown next to the time of the row. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class MaxError {

    /**
     * The maximum error in units of 2^-23 of the exact result of an elementwise function. If the result is a sum, the
     * units are 2^-23 of the sum of its absolute terms.
     */
    public double maxErrorUlps;

    private double addends = 1;

    @Setup(Level.Trial)
    public void count(BenchmarkParams params) {
        addends = (double) params.getThreads() * params.getMeasurement().getCount() * Math.max(1, params.getForks());
    }

    @Setup(Level.Iteration)
    public void clear() {
        maxErrorUlps = 0;
    }

    /**
     * Records the maximum error. JMH adds up this counter over threads, iterations and forks, so each thread records a
     * share of the error in each iteration, and the total is the maximum error.
     */
    public void report(double ulps) {
        maxErrorUlps = ulps / addends;
    }
}
