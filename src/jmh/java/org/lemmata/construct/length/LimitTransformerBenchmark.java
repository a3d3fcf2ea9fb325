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
 * The output of a one-layer limit transformer for a sequence, by length. Only the last row is computed.
 *
 * <pre>
 * mvn -P jmh verify -Djmh.include=LimitTransformerBenchmark
 * </pre>
 *
 * <p>Read {@code tokens}: tokens of the sequence per second. One query attends to all keys, so the cost of a call is
 * proportional to the length, and the rate hardly depends on it. {@link LimitTransformerRowsBenchmark} computes every
 * row. {@code -Xbatch} is needed because vectors are objects until C2 has compiled the code.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xbatch", "-XX:ObjectAlignmentInBytes=64"})
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class LimitTransformerBenchmark extends LimitTransformerProblem {

    @Param({"1000", "10000", "100000"})
    public int length;

    @Override
    int length() {
        return length;
    }

    @Benchmark
    public double scalar(Tokens work) {
        work.tokens += length;
        return scalarModel.lastLogits(batch)[0];
    }

    @Benchmark
    public double vector(Tokens work) {
        work.tokens += length;
        return vectorModel.lastLogits(batch)[0];
    }
}
