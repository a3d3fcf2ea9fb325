package org.lemmata.kernel.optimizer;

import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.Checked;
import org.lemmata.benchmark.KernelBenchmark;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.problem.OptimizerStepProblem;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One step over all parameters, in steps per second. Compare {@code gigabytes} with the triad of the machine. AdamW
 * reads p, dp, m, v and writes p, m, v: 28 bytes per parameter. {@code maxErrorUlps} is the maximum error of a
 * parameter after the first step, in ulps.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=OptimizerStepBenchmark}; other rules and threads: add
 * {@code -Djmh.args="-p rule=SGD,MOMENTUM,NESTEROV,ADAM -p threads=1,2"}.
 *
 * <p>Pitfalls: with arrays that fit in the cache, division and square root are measured, not memory. Therefore there
 * are two sizes. With gradients of 0, the moments decay to subnormal numbers, which are slow on many machines.
 */
public class OptimizerStepBenchmark extends KernelBenchmark {

    /** An update rule, with its additions and multiplications and the bytes that it moves, per parameter. */
    public enum Rule {
        SGD(4, 12),
        MOMENTUM(6, 20),
        NESTEROV(8, 20),
        ADAM(13, 28),
        ADAMW(13, 28);

        private final int flops;
        private final int bytes;

        Rule(int flops, int bytes) {
            this.flops = flops;
            this.bytes = bytes;
        }

        private UpdateRule updateRule() {
            return switch (this) {
                case SGD -> new Sgd(1e-3, 0, false, 0.01);
                case MOMENTUM -> new Sgd(1e-3, 0.9, false, 0.01);
                case NESTEROV -> new Sgd(1e-3, 0.9, true, 0.01);
                case ADAM -> new Adam(1e-3, 0.9, 0.999, 1e-8, 0.01);
                case ADAMW -> new AdamW(1e-3, 0.9, 0.999, 1e-8, 0.01);
            };
        }
    }

    @Param("ADAMW")
    public Rule rule = Rule.ADAMW;

    @Param({"65536", "8388608"})
    public int parameters;

    private final Checked<OptimizerStep> step = new Checked<>();

    @Setup
    public void prepare() {
        var problem = new OptimizerStepProblem(rule.updateRule(), parameters);
        OptimizerStep vector = new VectorOptimizerStep(startWorkers());
        step.prepare(problem.step(rule.flops, rule.bytes), new ScalarOptimizerStep(), vector, 1);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        return step.scalar(work, error);
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        return step.vector(work, error);
    }
}
