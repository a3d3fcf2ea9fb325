package org.lemmata.train;

import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.model.part.FlopCount;
import org.lemmata.train.TrainingBenchmark.Tokens;
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
 * The mean loss of a batch, from which perplexities are computed. {@code tokens} is the number of tokens per second.
 * Compare {@code gigaflops} with the peak of the machine.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=EvaluationBenchmark}; {@code -Djmh.args="-p problem=GPT2"} for 124
 * million parameters.
 *
 * <p>Pitfalls: if the logits of the whole batch were stored, memory would be measured.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64"})
@Warmup(iterations = 3, time = 1, timeUnit = TimeUnit.SECONDS)
@Measurement(iterations = 3, time = 1, timeUnit = TimeUnit.SECONDS)
public class EvaluationBenchmark {

    @Param("SMALL_GPT")
    public TrainingProblem problem = TrainingProblem.B;

    @Param({"1", "2"})
    public int threads;

    private TrainingSteps steps = new TrainingSteps(TrainingProblem.B, 1);
    private double errorUlps;

    @Setup
    public void prepare() {
        errorUlps = TrainingCheck.errorUlps(problem);
        steps = new TrainingSteps(problem, threads);
    }

    @TearDown
    public void stop() {
        steps.close();
    }

    @Benchmark
    public double vector(Work work, Tokens tokens, MaxError error) {
        double length = problem.architecture().maxLength();
        var count = new FlopCount(problem.architecture());
        double sequences = problem.tokens() / length;
        double pairs = sequences * count.pairs(length);
        work.add(
                count.forward(problem.tokens(), pairs, problem.tokens()),
                (double) Float.BYTES * problem.architecture().parameterCount());
        tokens.tokens += problem.tokens();
        error.report(errorUlps);
        return steps.loss();
    }
}
