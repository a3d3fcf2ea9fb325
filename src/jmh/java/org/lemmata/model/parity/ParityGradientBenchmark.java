package org.lemmata.model.parity;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.Work;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;
import org.lemmata.kernel.Kernels;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Compares three ways to compute the gradient at W = 0 (teacher forcing, parity of all bits): from packed bits, by
 * binary32 matrix products, and by a binary64 pass through the chain. Also measures the answers of a chain.
 *
 * <pre>
 * mvn -P jmh verify -Djmh.include=ParityGradientBenchmark
 * </pre>
 *
 * <p>Read {@code gigaflops}: a multiplication and an addition for each sample, node and visible node. Only
 * {@code binary64Chain} counts two of each. If {@code bits} doubles, the work is four times as much.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class ParityGradientBenchmark {

    /**
     * Maximum error of an entry of the gradient. The largest entries of node m are about 2c / (m - 1)², where c is
     * {@link ParityLink#curvature}.
     */
    private static final double MAX_ERROR = 1e-6;

    @Param({"64", "128", "256"})
    public int bits;

    @Param({"10000", "100000"})
    public int samples;

    @Param({"1", "2"})
    public int threads;

    private final ParityLink link = new ParityLink.Polynomial();
    private Workers workers = Workers.caller();
    private SignColumns signs = new SignColumns(1, 1);
    private ChainWeights zero = new ChainWeights(new ParityTree(2, 1, 2), ChainMask.TOKEN_BY_TOKEN);
    private ProductsGradient products = new ProductsGradient(zero, link, Kernels.scalar());
    private double[] gradient = {};

    /** Draws the samples, and compares the three methods. */
    @Setup
    public void prepare() {
        workers = Workers.of(threads);
        var random = new SplittableRandom(20251122);
        ParityTree tree = ParityTree.random(bits, bits, random);
        signs = tree.complete(SignColumns.random(bits, samples, random));
        zero = new ChainWeights(tree, ChainMask.TOKEN_BY_TOKEN);
        products = new ProductsGradient(zero, link, Kernels.best(workers));
        gradient = new double[zero.size()];
        double[] expected = new double[zero.size()];
        new ParityTransformer(zero, link, workers).gradient(signs, ChainLoss.teacherForcing(tree), expected);
        InitialGradient.of(zero, link, signs, workers, gradient);
        requireClose(expected);
        products.run(signs, gradient);
        requireClose(expected);
    }

    private void requireClose(double[] expected) {
        for (int i = 0; i < gradient.length; i++) {
            if (!(Math.abs(gradient[i] - expected[i]) <= MAX_ERROR)) {
                throw new IllegalStateException("entry " + i + ": expected " + expected[i] + ", got " + gradient[i]);
            }
        }
    }

    @TearDown
    public void close() {
        workers.close();
    }

    private void count(Work work, int perPair) {
        work.add((double) perPair * samples * zero.size(), signs.bits().length * 8.0);
    }

    @Benchmark
    public double packedBits(Work work) {
        count(work, 2);
        return InitialGradient.of(zero, link, signs, workers, gradient);
    }

    @Benchmark
    public double[] binary32Products(Work work) {
        count(work, 2);
        products.run(signs, gradient);
        return gradient;
    }

    /**
     * Counts four operations, because this method also computes averages: two for the averages and two for the
     * gradient.
     */
    @Benchmark
    public double binary64Chain(Work work) {
        count(work, 4);
        return new ParityTransformer(zero, link, workers)
                .gradient(signs, ChainLoss.teacherForcing(zero.tree()), gradient);
    }

    @Benchmark
    public ParityTransformer.Errors chainAnswers(Work work) {
        count(work, 2);
        return new ParityTransformer(zero, link, workers).errors(signs);
    }
}
