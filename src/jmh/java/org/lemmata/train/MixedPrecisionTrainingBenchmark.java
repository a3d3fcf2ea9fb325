package org.lemmata.train;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.model.Architecture;
import org.lemmata.model.Backpropagation;
import org.lemmata.model.Initialization;
import org.lemmata.model.Parameters;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.token.Batch;
import org.lemmata.token.Example;
import org.lemmata.train.Schedule.ConstantRate;
import org.lemmata.train.Schedule.LinearWarmUp;
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
 * Training under a precision policy: the speed of steps, and the loss after the steps.
 *
 * <pre>
 * mvn -P jmh verify -DskipTests -Djmh.include=MixedPrecisionTraining
 * ... -Djmh.args="-p policy=none,bfloat16-master,bfloat16-master-stochastic -p steps=2000"
 * </pre>
 *
 * <p>A decoder of width 64 with 2 layers and 2 heads learns words of 32 brackets and depth up to 8, as in
 * docs/examples/depth-quick.yaml, with 16 words per step, AdamW and one thread. Before timing, each policy takes
 * {@code steps} steps from the same weights on the same words. {@code loss} is then the mean, in nats, over 256 other
 * words, computed under the policy. It depends only on policy and steps. JMH sums it over iterations, so each iteration
 * reports an equal share. If it is NaN or not below ln 2, nothing was learned. The policy then gets no row, and the
 * reason is on the console.
 *
 * <p>Pitfalls: on one batch, gradients become 0, and all policies look the same. After few steps, updates of the master
 * weights are still larger than half an ulp. Rounding to nearest stops only smaller updates; stochastic rounding never
 * stops them.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64"})
@Warmup(iterations = 1, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class MixedPrecisionTrainingBenchmark {

    private static final long SEED = 20251121;
    private static final int PAIRS = 16;
    private static final int MAX_DEPTH = 8;
    private static final int WORDS = 16;
    private static final int VALIDATION_WORDS = 256;

    private static final Architecture DECODER = Architecture.gpt2(2, 2 * PAIRS, 64, 2, 2, 256, 0);

    @Param({
        "none",
        "bfloat16",
        "binary16",
        "binary16-scaled",
        "ocp8-scaled",
        "mxfp8",
        "bfloat16-master",
        "bfloat16-master-stochastic"
    })
    public String policy = "";

    @Param("300")
    public int steps;

    private List<List<Batch>> batches = List.of();
    private TrainingStep step = new Run(PrecisionPolicy.none()).step;
    private long taken;
    private double shareOfLoss;

    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Tokens {
        public long tokens;

        @Setup(Level.Iteration)
        public void clear() {
            tokens = 0;
        }
    }

    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Outcome {
        public double loss;
    }

    /** An initial model and its training step. */
    private static final class Run {

        private final Backpropagation objective;
        private final TrainingStep step;

        Run(PrecisionPolicy policy) {
            Kernels kernels = Kernels.best();
            Parameters parameters = new Initialization.Gpt2().draw(DECODER, new PhiloxGenerator(SEED, 0, 0));
            objective = new Backpropagation(parameters, policy, kernels);
            var options = new OptimizerOptions(
                    new AdamW(2e-3, 0.9, 0.95, 1e-8, 0.1),
                    new LinearWarmUp(30, new ConstantRate()),
                    List.of(),
                    false,
                    1);
            var optimizer = new Optimizer(DECODER.layout(), options, policy, kernels);
            optimizer.start(parameters.values());
            step = new TrainingStep(objective, optimizer, SEED);
        }
    }

    private static Batch words(long index, int count) {
        var task = new DyckWords(PAIRS, 1, MAX_DEPTH);
        var random = new PhiloxGenerator(SEED, 1, index);
        var examples = new ArrayList<Example>();
        for (int i = 0; i < count; i++) {
            examples.add(Example.nextToken(task.sampleIds(random)));
        }
        return Batch.ofExamples(examples);
    }

    @Setup
    public void train(BenchmarkParams params) {
        var run = new Run(MixedPrecision.policy(policy));
        step = run.step;
        batches = new ArrayList<>();
        for (taken = 0; taken < steps; taken++) {
            batches.add(List.of(words(taken + 1, WORDS)));
            step.run(batches.getLast(), taken + 1);
        }
        double loss = run.objective.loss(words(0, VALIDATION_WORDS));
        if (!(loss < Math.log(2))) {
            throw new IllegalStateException("loss: expected below ln 2 after " + steps + " steps, got " + loss);
        }
        shareOfLoss = loss / params.getMeasurement().getCount() / Math.max(1, params.getForks());
    }

    @Benchmark
    public double step(Tokens tokens, Outcome outcome) {
        tokens.tokens += (long) WORDS * 2 * PAIRS;
        outcome.loss = shareOfLoss;
        taken++;
        return step.run(batches.get((int) (taken % batches.size())), taken);
    }
}
