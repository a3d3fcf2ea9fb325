package org.lemmata.construct.length;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The outputs of a one-layer limit transformer at every position of a sequence, by length.
 *
 * <pre>
 * mvn -P jmh verify -Djmh.include=LimitTransformerRowsBenchmark
 * </pre>
 *
 * <p>Read {@code tokens}: tokens of the sequence per second. Each query attends to the keys before it, so the cost of a
 * call is proportional to the square of the length: {@code -Djmh.args="-p length=100000"} takes many seconds per call.
 * {@link LimitTransformerBenchmark} computes only the last position.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64"})
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class LimitTransformerRowsBenchmark extends LimitTransformerProblem {

    @Param({"1000", "10000"})
    public int length;

    @Override
    int length() {
        return length;
    }

    @Benchmark
    public double[] vector(Tokens work) {
        work.tokens += length;
        return vectorModel.logits(batch);
    }
}
