package org.lemmata.kernel.embedding;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.index.RaggedOffsets;
import org.lemmata.kernel.thread.Workers;
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
 * Rows of tokens and positions, batches a second; {@code gigabytes} counts what one batch has to move at least, its
 * outputs or their gradients: the tables may stay in a cache. {@code maxErrorUlps} is in units of 2^-23 of the sum of
 * the absolute terms.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=EmbeddingBenchmark}; other sizes: add {@code -Djmh.args="-p
 * size=8192x512x50257x1024 -p threads=1,2"}. A size is rows x length x vocabulary x width.
 *
 * <p>What goes wrong if it is written otherwise: with ids in ascending order, the table is streamed, which no text does
 * to it; gradients that are not set back grow until adding to them changes nothing, so they are, before each iteration.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class EmbeddingBenchmark {

    @Param("8192x512x50257x128")
    public String size = "";

    @Param("1")
    public int threads;

    private final Embedding scalar = new ScalarEmbedding();
    private Workers workers = Workers.caller();
    private Embedding vector = scalar;
    private EmbeddingShape shape = EmbeddingShape.tokensOnly(1, 1);
    private RaggedOffsets sequences = RaggedOffsets.ofLengths();
    private int[] ids = {};
    private int length;
    private float[] tokens = {};
    private float[] positions = {};
    private float[] outputs = {};
    private float[] dTokens = {};
    private float[] dPositions = {};
    private float[] dOutputs = {};
    private double scalarError;
    private double vectorError;

    @Setup
    public void prepare() {
        workers = Workers.of(threads);
        vector = new VectorEmbedding(workers);
        String[] sizes = size.split("x", -1);
        if (sizes.length != 4) {
            throw new IllegalArgumentException(
                    "size: expected rows x length x vocabulary x width as in 8192x512x50257x128, got '" + size + "'");
        }
        int rows = Integer.parseInt(sizes[0]);
        length = Integer.parseInt(sizes[1]);
        int vocabulary = Integer.parseInt(sizes[2]);
        int width = Integer.parseInt(sizes[3]);
        shape = new EmbeddingShape(vocabulary, width, EmbeddingShape.Positions.TABLE, length, 1);
        int[] lengths = new int[rows / length];
        Arrays.fill(lengths, length);
        sequences = RaggedOffsets.ofLengths(lengths);
        SplittableRandom random = new SplittableRandom(1);
        ids = random.ints(sequences.total(), 0, vocabulary).toArray();
        tokens = random(vocabulary * width, random);
        positions = random(length * width, random);
        dOutputs = random(ids.length * width, random);
        outputs = new float[ids.length * width];
        dTokens = new float[tokens.length];
        dPositions = new float[positions.length];
        scalarError = maxErrorUlps(scalar);
        vectorError = maxErrorUlps(vector);
    }

    @Setup(Level.Iteration)
    public void clearGradients() {
        Arrays.fill(dTokens, 0);
        Arrays.fill(dPositions, 0);
    }

    @TearDown
    public void stop() {
        workers.close();
    }

    private static float[] random(int length, SplittableRandom random) {
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextDouble(-1, 1);
        }
        return x;
    }

    /** All outputs, and the first column of all gradients, against binary64. */
    private double maxErrorUlps(Embedding embedding) {
        clearGradients();
        forward(embedding);
        backward(embedding);
        int width = shape.width();
        double worst = 0;
        for (int i = 0; i < outputs.length; i++) {
            float token = tokens[ids[i / width] * width + i % width];
            float position = positions[i / width % length * width + i % width];
            worst = Math.max(
                    worst,
                    ulps(embedding, outputs[i], (double) token + position, Math.abs(token) + Math.abs(position), 1));
        }
        double[] sums = new double[shape.vocabulary() + length];
        double[] sizes = new double[sums.length];
        for (int i = 0; i < ids.length; i++) {
            double dy = dOutputs[i * width];
            sums[ids[i]] += dy;
            sizes[ids[i]] += Math.abs(dy);
            sums[shape.vocabulary() + i % length] += dy;
            sizes[shape.vocabulary() + i % length] += Math.abs(dy);
        }
        for (int row = 0; row < sums.length; row++) {
            int position = row - shape.vocabulary();
            float actual = position < 0 ? dTokens[row * width] : dPositions[position * width];
            worst = Math.max(worst, ulps(embedding, actual, sums[row], sizes[row], ids.length));
        }
        return worst;
    }

    private static double ulps(Embedding embedding, float actual, double exact, double size, double bound) {
        double ulps = size == 0 ? 0 : Math.abs(actual - exact) / size * 0x1p23;
        if (!(ulps <= bound)) {
            throw new IllegalStateException(
                    embedding.getClass().getSimpleName() + ": got " + actual + ", expected " + exact);
        }
        return ulps;
    }

    private float[] forward(Embedding embedding) {
        embedding.forward(outputs, ids, sequences, tokens, 0, positions, 0, shape);
        return outputs;
    }

    private float[] backward(Embedding embedding) {
        embedding.backward(dTokens, 0, dPositions, 0, dOutputs, ids, sequences, shape);
        return dTokens;
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError maxError) {
        work.add(outputs.length, 4.0 * outputs.length);
        maxError.report(scalarError);
        return forward(scalar);
    }

    @Benchmark
    public float[] vector(Work work, MaxError maxError) {
        work.add(outputs.length, 4.0 * outputs.length);
        maxError.report(vectorError);
        return forward(vector);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalarBackward(Work work, MaxError maxError) {
        work.add(2.0 * outputs.length, 4.0 * outputs.length);
        maxError.report(scalarError);
        return backward(scalar);
    }

    @Benchmark
    public float[] vectorBackward(Work work, MaxError maxError) {
        work.add(2.0 * outputs.length, 4.0 * outputs.length);
        maxError.report(vectorError);
        return backward(vector);
    }
}
