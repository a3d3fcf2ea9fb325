package org.lemmata.train;

import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A training step (forward, mean loss, backward, optimizer), in steps per second, for decoders A to D and the
 * configuration of each paper. {@code tokens} is the number of tokens per second. Compare {@code gigaflops} with the
 * peak of the machine; it counts the products of the formulas, and in causal attention only positions that a query
 * sees. {@code maxErrorUlps} is the maximum error of losses, in units of 2^-23 of the loss.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=train.TrainingBenchmark}; on natural language {@code -Djmh.args="-p
 * problem=SMALL_GPT,GPT2"}, which takes minutes.
 *
 * <p>Pitfalls: with few tokens, the optimizer and the packing of weights dominate the time. With zero inputs, gradients
 * are 0 and the optimizer divides subnormal numbers. Steps change the weights, so over thousands of steps on one batch
 * the loss becomes 0. This does not change the speed of any kernel here, as long as gradients are normal numbers.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64"})
@Warmup(iterations = 3, time = 1, timeUnit = TimeUnit.SECONDS)
@Measurement(iterations = 3, time = 1, timeUnit = TimeUnit.SECONDS)
public class TrainingBenchmark {

    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Tokens {

        public double tokens;

        @Setup(Level.Iteration)
        public void clear() {
            tokens = 0;
        }
    }

    @Param({"A", "B", "C", "D", "DEPTH", "SYMBOL", "HIERARCHY", "LENGTH"})
    public TrainingProblem problem = TrainingProblem.B;

    @Param({"1", "2"})
    public int threads;

    private TrainingSteps steps = new TrainingSteps(TrainingProblem.B, 1);
    private double errorUlps;

    @Setup
    public void prepare() {
        errorUlps = TrainingCheck.errorUlps(problem);
        steps = new TrainingSteps(problem, threads);
        errorUlps = Math.max(errorUlps, problem.checkedErrorUlps(steps.threeLosses()));
    }

    @TearDown
    public void stop() {
        steps.close();
    }

    @Benchmark
    public double vector(Work work, Tokens tokens, MaxError error) {
        work.add(problem.flops(), problem.bytes());
        tokens.tokens += problem.tokens();
        error.report(errorUlps);
        return steps.next();
    }
}
