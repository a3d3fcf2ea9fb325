package org.lemmata.experiment;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lemmata.benchmark.KernelBenchmark;
import org.lemmata.experiment.LengthGeneralizationCell.Outcome;
import org.lemmata.kernel.Kernels;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * A cell of a length-generalization sweep ({@link LengthGeneralizationCell}), in milliseconds on one thread. The model
 * of Izzo, Nichani and Lee (2025) is trained on lengths up to {@code trainLength}, and its loss is measured on
 * sequences of {@code testLength}. {@code trainTokensPerSecond} and {@code testTokensPerSecond} are the rates of the
 * two parts. {@code testLoss} is the mean squared error for the two tasks of that paper, and nats per token for words
 * of brackets.
 *
 * <pre>
 * mvn -P jmh verify -DskipTests -Djmh.include=LengthGeneralizationBenchmark
 * </pre>
 *
 * <p>Steps and batch are a small part of the paper's 10,000 and 1,024, which {@code -p steps=10000 -p batch=1024} sets.
 * The loss shows how well a model generalizes after little training, not how well the model of the paper generalizes.
 *
 * <p>The seed is fixed, so a method fails if an invocation does not give the bits of the first invocation.
 * {@code scalar} and {@code vector} sum in different orders, so their losses are close only after few steps.
 *
 * <p>Pitfalls: the first cell of a JVM takes five times as long as the tenth, because code is still being compiled.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64"})
@Warmup(iterations = 3, time = 1, timeUnit = TimeUnit.SECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class LengthGeneralizationBenchmark {

    /**
     * Averages over cells. JMH sums events over threads, iterations and forks, so each iteration reports its share, and
     * the sum is the mean.
     */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Counters {

        private double iterations = 1;
        private double cells;
        private double trainTokens;
        private double trainSeconds;
        private double testTokens;
        private double testSeconds;
        private double losses;

        @Setup(Level.Trial)
        public void count(BenchmarkParams params) {
            iterations =
                    (double) params.getThreads() * params.getMeasurement().getCount() * Math.max(1, params.getForks());
        }

        @Setup(Level.Iteration)
        public void clear() {
            cells = 0;
            trainTokens = 0;
            trainSeconds = 0;
            testTokens = 0;
            testSeconds = 0;
            losses = 0;
        }

        /** Training tokens per second. */
        public double trainTokensPerSecond() {
            return trainTokens / trainSeconds / iterations;
        }

        /** Test tokens per second. */
        public double testTokensPerSecond() {
            return testTokens / testSeconds / iterations;
        }

        /** The mean squared error, or nats per token. */
        public double testLoss() {
            return losses / cells / iterations;
        }

        void add(Outcome outcome) {
            cells++;
            trainTokens += outcome.trainTokens();
            trainSeconds += outcome.trainSeconds();
            testTokens += outcome.testTokens();
            testSeconds += outcome.testSeconds();
            losses += outcome.testLoss();
        }
    }

    @Param({"simple-task", "mod-p-task", "dyck-words"})
    public String task = "simple-task";

    @Param({"10", "40"})
    public int trainLength;

    @Param({"40", "640"})
    public int testLength;

    @Param("25")
    public int steps;

    @Param("64")
    public int batch;

    /** The number of sequences on which the loss is measured. */
    @Param("128")
    public int sequences;

    private @Nullable LengthGeneralizationCell cell;
    private double firstLoss = Double.NaN;

    @Setup
    public void prepare(BenchmarkParams params) throws IOException {
        cell = LengthGeneralizationCell.of(task, trainLength, testLength, steps, batch, sequences);
        Kernels kernels = KernelBenchmark.isOnLanes(params) ? Kernels.best() : Kernels.scalar();
        cell.check(kernels, cell.run(kernels).parameters());
    }

    @Benchmark
    public double scalar(Counters counters) {
        return run(Kernels.scalar(), counters);
    }

    @Benchmark
    public double vector(Counters counters) {
        return run(Kernels.best(), counters);
    }

    private double run(Kernels kernels, Counters counters) {
        Outcome outcome = Objects.requireNonNull(cell).run(kernels);
        counters.add(outcome);
        double loss = outcome.testLoss();
        if (Double.isNaN(firstLoss)) {
            firstLoss = loss;
        } else if (loss != firstLoss) {
            throw new IllegalStateException("testLoss: expected the bits of " + firstLoss + ", got " + loss);
        }
        return loss;
    }
}
