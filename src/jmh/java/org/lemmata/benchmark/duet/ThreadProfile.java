package org.lemmata.benchmark.duet;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;
import org.openjdk.jmh.runner.IterationType;

/**
 * Reports, after each measured iteration, the share of {@link OtherThreads} since the start of the first measured
 * iteration.
 */
public final class ThreadProfile implements InternalProfiler {

    private @Nullable OtherThreads others;

    @Override
    public String getDescription() {
        return "reports the share of processor time of threads that the benchmark starts";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        if (others == null && iteration.getType() == IterationType.MEASUREMENT) {
            others = new OtherThreads();
        }
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        return others == null
                ? List.of()
                : List.of(new ScalarResult("duet.others", others.share(), "share", AggregationPolicy.AVG));
    }
}
