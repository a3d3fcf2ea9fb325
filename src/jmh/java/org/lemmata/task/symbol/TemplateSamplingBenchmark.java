package org.lemmata.task.symbol;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.lemmata.task.Task;
import org.lemmata.token.Example;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Sampling of a template task, in examples (label and string) per second on one core.
 *
 * <p>Run with {@code mvn -P jmh verify -Djmh.include=TemplateSampling}. If the example were not returned, the compiler
 * could drop its arrays.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 6, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class TemplateSamplingBenchmark {

    private static final int CHECKED = 10_000;

    @Param({"aba-abb", "symbolic-programs"})
    public String task = "";

    private final RandomGenerator random = new SplittableRandom(16);
    private Task drawn = create("copying");

    private static Task create(String name) {
        return new SymbolTasks()
                .entries().stream()
                        .filter(entry -> entry.name().equals(name))
                        .findFirst()
                        .orElseThrow()
                        .create(Map.of());
    }

    @Setup
    public void check() {
        drawn = create(task);
        for (int i = 0; i < CHECKED; i++) {
            Example example = sample();
            if (!drawn.accepts(example.inputs())) {
                throw new IllegalStateException("expected a string of a template, got " + example);
            }
        }
    }

    @Benchmark
    public Example sample() {
        return drawn.sample(random, drawn.defaultLength());
    }
}
