package org.lemmata.kernel.loss;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.thread.Workers;
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
 * Cross-entropy with its gradient, calls a second, every row being scored.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=SoftmaxCrossEntropyBenchmark}; other sizes, rows x vocabulary: add
 * {@code -Djmh.args="-p size=65536x3,11200x18 -p threads=1,2"}.
 *
 * <p>What goes wrong if it is written otherwise: a gradient in place of the logits would be the next call's logits.
 * {@code -Xbatch} makes calls wait for the compiler: on a busy machine, boxed vectors were measured for seconds without
 * it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class SoftmaxCrossEntropyBenchmark {

    @Param({"11200x18", "16x50257"})
    public String size = "";

    @Param("1")
    public int threads;

    private final SoftmaxCrossEntropy scalar = new ScalarSoftmaxCrossEntropy();
    private SoftmaxCrossEntropy vector = new VectorSoftmaxCrossEntropy();
    private int rows;
    private int columns;
    private float[] logits = {};
    private float[] dlogits = {};
    private Matrix ofLogits = Matrix.empty();
    private Matrix ofDlogits = Matrix.empty();
    private int[] targets = {};
    private int[] scoredRows = {};
    private double scalarUlps;
    private double vectorUlps;

    @Setup
    public void prepare() {
        String[] sizes = size.split("x", -1);
        if (sizes.length != 2) {
            throw new IllegalArgumentException("size: expected rows x vocabulary as in 11200x18, got '" + size + "'");
        }
        rows = Integer.parseInt(sizes[0]);
        columns = Integer.parseInt(sizes[1]);
        vector = new VectorSoftmaxCrossEntropy(Workers.of(threads));
        SplittableRandom random = new SplittableRandom(1);
        logits = new float[rows * columns];
        for (int i = 0; i < logits.length; i++) {
            logits[i] = (float) random.nextDouble(-8, 8);
        }
        dlogits = new float[logits.length];
        ofLogits = Matrix.of(logits, rows, columns);
        ofDlogits = Matrix.of(dlogits, rows, columns);
        targets = new int[rows];
        scoredRows = new int[rows];
        for (int i = 0; i < rows; i++) {
            targets[i] = random.nextInt(columns);
            scoredRows[i] = i;
        }
        scalarUlps = maxUlps(scalar);
        vectorUlps = maxUlps(vector);
    }

    private double backward(SoftmaxCrossEntropy crossEntropy) {
        return crossEntropy.backward(ofDlogits, ofLogits, targets, scoredRows, 1.0);
    }

    /** The maximum error of the gradient against binary64; neither it nor the loss may be off by 2^-16 of itself. */
    private double maxUlps(SoftmaxCrossEntropy crossEntropy) {
        double loss = backward(crossEntropy);
        double exactLoss = 0;
        double maxUlps = 0;
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int j = 0; j < columns; j++) {
                sum += Math.exp(logits[i * columns + j]);
            }
            exactLoss += Math.log(sum) - logits[i * columns + targets[i]];
            for (int j = 0; j < columns; j++) {
                double exact = Math.exp(logits[i * columns + j]) / sum - (j == targets[i] ? 1 : 0);
                double ulps = Math.abs(dlogits[i * columns + j] - exact) / (0x1p-23 * Math.abs(exact));
                if (!(ulps <= 128)) {
                    throw new IllegalStateException(crossEntropy.getClass().getSimpleName() + ", row " + i
                            + ": gradient is " + dlogits[i * columns + j] + ", expected " + exact);
                }
                maxUlps = Math.max(maxUlps, ulps);
            }
        }
        if (!(Math.abs(loss - exactLoss) <= 0x1p-16 * exactLoss)) {
            throw new IllegalStateException(
                    crossEntropy.getClass().getSimpleName() + ": loss is " + loss + ", expected " + exactLoss);
        }
        return maxUlps;
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public double scalar(Work work, MaxError error) {
        work.add(5.0 * logits.length, 8.0 * logits.length);
        error.report(scalarUlps);
        return backward(scalar);
    }

    @Benchmark
    public double vector(Work work, MaxError error) {
        work.add(5.0 * logits.length, 8.0 * logits.length);
        error.report(vectorUlps);
        return backward(vector);
    }
}
