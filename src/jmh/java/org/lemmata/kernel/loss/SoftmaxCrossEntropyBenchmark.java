package org.lemmata.kernel.loss;

import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.Checked;
import org.lemmata.benchmark.KernelBenchmark;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.problem.CrossEntropyProblem;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Cross-entropy with its gradient, in calls per second. Every row is scored.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=SoftmaxCrossEntropyBenchmark}; other sizes, rows x vocabulary: add
 * {@code -Djmh.args="-p size=65536x3,11200x18 -p threads=1,2"}.
 *
 * <p>Pitfalls: if the gradient overwrote the logits, it would be the input of the next call.
 */
public class SoftmaxCrossEntropyBenchmark extends KernelBenchmark {

    @Param({"11200x18", "16x50257"})
    public String size = "";

    private final Checked<SoftmaxCrossEntropy> backward = new Checked<>();

    @Setup
    public void prepare() {
        int[] sizes = sizes("size", size, "rows x vocabulary", "11200x18");
        var problem = new CrossEntropyProblem(sizes[0], sizes[1]);
        SoftmaxCrossEntropy scalar = new ScalarSoftmaxCrossEntropy();
        SoftmaxCrossEntropy vector = new VectorSoftmaxCrossEntropy(startWorkers());
        backward.prepare(problem.lossOfBackward(), scalar, vector, 1);
        backward.prepare(problem.backward(), scalar, vector, 1);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        return backward.scalar(work, error);
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        return backward.vector(work, error);
    }
}
