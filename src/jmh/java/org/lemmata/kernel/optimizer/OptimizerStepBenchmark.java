package org.lemmata.kernel.optimizer;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.thread.Workers;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One step over all parameters, steps a second; {@code gigabytes} is to be read against the machine's triad: AdamW
 * reads p, dp, m, v and writes p, m, v, 28 bytes a parameter. {@code maxErrorUlps} is the maximum error of a parameter
 * after the first step, in ulps of it.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=OptimizerStepBenchmark}; other rules and threads: add
 * {@code -Djmh.args="-p rule=SGD,MOMENTUM,NESTEROV,ADAM -p threads=1,2"}.
 *
 * <p>What goes wrong if it is written otherwise: arrays that fit the cache measure division and square root, and say
 * nothing about a model that does not fit; hence two sizes. With gradients of 0 the moments die out, and on many
 * machines the step that is measured is one of subnormal numbers.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class OptimizerStepBenchmark {

    /** The rules, with how many additions and multiplications they ask for and how many bytes they move a parameter. */
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

    @Param("1")
    public int threads;

    private final OptimizerStep scalar = new ScalarOptimizerStep();
    private final Coefficients coefficients = new Coefficients();
    private UpdateRule updateRule = rule.updateRule();
    private Workers workers = Workers.caller();
    private OptimizerStep vector = scalar;
    private float[] values = {};
    private float[] firstMoments = {};
    private float[] secondMoments = {};
    private float[] gradients = {};
    private long step;
    private double scalarErrorUlps;
    private double vectorErrorUlps;

    @Setup
    public void prepare() {
        updateRule = rule.updateRule();
        workers = Workers.of(threads);
        vector = new VectorOptimizerStep(workers);
        values = new float[parameters];
        gradients = new float[parameters];
        firstMoments = new float[parameters];
        secondMoments = new float[parameters];
        scalarErrorUlps = maxErrorUlps(scalar);
        vectorErrorUlps = maxErrorUlps(vector);
        step = 1;
    }

    @TearDown
    public void stop() {
        workers.close();
    }

    /**
     * The first step from random parameters; none may be off by more than rounding it and its small change explains.
     */
    private double maxErrorUlps(OptimizerStep optimizerStep) {
        SplittableRandom random = new SplittableRandom(1);
        float[] before = new float[parameters];
        for (int i = 0; i < parameters; i++) {
            before[i] = (float) random.nextDouble(1, 2);
            values[i] = before[i];
            gradients[i] = (float) random.nextDouble(0.5, 1);
            firstMoments[i] = 0;
            secondMoments[i] = 0;
        }
        step = 0;
        run(optimizerStep);
        double maxUlps = 0;
        for (int i = 0; i < parameters; i++) {
            double exact = exactFirstStep(before[i], gradients[i]);
            double ulps = Math.abs(values[i] - exact) / Math.ulp((float) exact);
            if (!(ulps <= 0.51)) {
                throw new IllegalStateException(optimizerStep.getClass().getSimpleName() + " " + rule + ": parameter "
                        + i + " is " + values[i] + ", expected " + exact);
            }
            maxUlps = Math.max(maxUlps, ulps);
        }
        return maxUlps;
    }

    /** The corrected moments of the first step are the gradient and its square. */
    private static double adaptive(double gradient, double epsilon) {
        return gradient / (Math.abs(gradient) + epsilon);
    }

    private double exactFirstStep(double p, double gradient) {
        return switch (updateRule) {
            case Sgd r -> {
                double g = gradient + r.weightDecay() * p;
                yield p - r.learningRate() * (r.nesterov() ? g + r.momentum() * g : g);
            }
            case Adam r -> p - r.learningRate() * adaptive(gradient + r.weightDecay() * p, r.epsilon());
            case AdamW r -> p - r.learningRate() * (adaptive(gradient, r.epsilon()) + r.weightDecay() * p);
        };
    }

    private float[] run(OptimizerStep optimizerStep) {
        step++;
        coefficients.set(updateRule, 1, step, 1);
        optimizerStep.step(values, firstMoments, secondMoments, gradients, coefficients, 0, parameters);
        return values;
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError maxError) {
        work.add((double) rule.flops * parameters, (double) rule.bytes * parameters);
        maxError.report(scalarErrorUlps);
        return run(scalar);
    }

    @Benchmark
    public float[] vector(Work work, MaxError maxError) {
        work.add((double) rule.flops * parameters, (double) rule.bytes * parameters);
        maxError.report(vectorErrorUlps);
        return run(vector);
    }
}
