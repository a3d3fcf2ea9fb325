package org.lemmata.task.depth.logic;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
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
 * Sampling of Boolean expressions with their simplified forms, in expressions per second on one core. {@code labelled}
 * evaluates an expression while drawing it; {@code parsed} then also parses and evaluates its tokens. Both look up the
 * form by the truth table.
 *
 * <p>Run with {@code mvn -P jmh verify -Djmh.include=BooleanExpression}. The cache of forms is first filled by as many
 * draws as a training set may have. Otherwise the benchmark would measure the search for forms, which later draws do
 * not repeat.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class BooleanExpressionBenchmark {

    private static final int CACHED_DRAWS = 1_000_000;

    private static final int CHECKED_DRAWS = 10_000;

    @Param("4")
    int variables;

    @Param("5")
    int k;

    @Param({"3", "6"})
    int q;

    private final RandomGenerator random = new SplittableRandom(53);
    private BooleanExpressions task = task(1, 1, 0);

    private static BooleanExpressions task(int variables, int k, int q) {
        var law = new ExpressionLaw(variables, true, k, q);
        return new BooleanExpressions(law, AnswerForm.SHORTEST, 0, HeldOutFunctions.none(variables));
    }

    @Setup
    public void check() {
        task = task(variables, k, q);
        for (int i = 0; i < CACHED_DRAWS; i++) {
            labelled();
        }
        for (int i = 0; i < CHECKED_DRAWS; i++) {
            requireEquality(labelled());
            requireEquality(parsed());
        }
    }

    private void requireEquality(int[] ids) {
        if (!task.accepts(ids)) {
            throw new IllegalStateException(
                    "expected an equality, got " + task.language().text(ids));
        }
    }

    @Benchmark
    public int[] labelled() {
        return task.sampleEquality(random);
    }

    @Benchmark
    public int[] parsed() {
        int[] expression = task.sampleExpression(random);
        int[] answer = task.simplified(expression);
        int[] ids = Arrays.copyOf(new int[] {task.language().start()}, expression.length + answer.length + 3);
        System.arraycopy(expression, 0, ids, 1, expression.length);
        ids[expression.length + 1] = task.language().equalSign();
        System.arraycopy(answer, 0, ids, expression.length + 2, answer.length);
        ids[ids.length - 1] = task.language().end();
        return ids;
    }
}
