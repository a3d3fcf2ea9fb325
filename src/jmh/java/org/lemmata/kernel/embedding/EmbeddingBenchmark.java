package org.lemmata.kernel.embedding;

import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.Checked;
import org.lemmata.benchmark.KernelBenchmark;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.problem.EmbeddingProblem;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Embedding of tokens and positions, in batches per second. {@code gigabytes} counts only the outputs of a batch, or
 * their gradients, because the tables may stay in a cache. {@code maxErrorUlps} is in units of 2^-23 of the sum of the
 * absolute terms.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=EmbeddingBenchmark}; other sizes: add {@code -Djmh.args="-p
 * size=8192x512x50257x1024 -p threads=1,2"}. A size is rows x length x vocabulary x width.
 *
 * <p>Pitfalls: with ids in ascending order, the table would be streamed, unlike with text. Gradients grow until
 * additions no longer change them, so they are reset before each iteration.
 */
public class EmbeddingBenchmark extends KernelBenchmark {

    @Param("8192x512x50257x128")
    public String size = "";

    private final Checked<Embedding> forward = new Checked<>();
    private final Checked<Embedding> backward = new Checked<>();
    private Runnable clearGradients = () -> {};

    @Setup
    public void prepare() {
        int[] sizes = sizes("size", size, "rows x length x vocabulary x width", "8192x512x50257x128");
        var problem = new EmbeddingProblem(sizes[0], sizes[1], sizes[2], sizes[3]);
        Embedding scalar = new ScalarEmbedding();
        Embedding vector = new VectorEmbedding(startWorkers());
        forward.prepare(problem.forward(), scalar, vector, 1);
        // Checks the first column.
        backward.prepare(problem.backward(), scalar, vector, sizes[3]);
        clearGradients = problem.backward().reset();
    }

    @Setup(Level.Iteration)
    public void clearGradients() {
        clearGradients.run();
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        return forward.scalar(work, error);
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        return forward.vector(work, error);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalarBackward(Work work, MaxError error) {
        return backward.scalar(work, error);
    }

    @Benchmark
    public float[] vectorBackward(Work work, MaxError error) {
        return backward.vector(work, error);
    }
}
