package org.lemmata.kernel.normalization;

import java.util.Arrays;
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
 * Normalization of rows with gain and shift, calls a second: forward, and backward with all gradients.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=NormalizationBenchmark}; other sizes, rows x columns: add
 * {@code -Djmh.args="-p size=16384x1024 -p kind=LAYER,ROOT_MEAN_SQUARE -p threads=1,2"}. 65536x16 and 16384x64 are
 * queries and keys of heads, 16384x1024 lies past the cache: there {@code gigabytes} is to be read against the triad.
 *
 * <p>What goes wrong if it is written otherwise: with several sizes in one fork, the compiler sees branches of the
 * earlier one. {@code -Xbatch} makes calls wait for the compiler: on a busy machine, boxed vectors were measured for
 * seconds without it.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
public class NormalizationBenchmark {

    private static final float EPSILON = 1e-5f;

    @Param("4096x64")
    public String size = "";

    @Param("LAYER")
    public Normalization.Kind kind = Normalization.Kind.LAYER;

    @Param("1")
    public int threads;

    private final Normalization scalar = new ScalarNormalization();
    private Normalization vector = new VectorNormalization();
    private int rows;
    private int columns;
    private float[] x = {};
    private float[] y = {};
    private float[] dy = {};
    private float[] dx = {};
    private Matrix ofX = Matrix.empty();
    private Matrix ofY = Matrix.empty();
    private Matrix ofDy = Matrix.empty();
    private Matrix ofDx = Matrix.empty();
    private Matrix statistics = Matrix.empty();
    private GainAndShift parameters = GainAndShift.NONE;
    private GainAndShift dparameters = GainAndShift.NONE;
    private float[] gain = {};
    private float[] shift = {};
    private float[] dgain = {};
    private float[] dshift = {};
    private Errors scalarUlps = new Errors(0, 0);
    private Errors vectorUlps = scalarUlps;

    /** The maximum error of y, and of dx and the gradient of the gain. */
    private record Errors(double forward, double backward) {}

    @Setup
    public void prepare() {
        String[] sizes = size.split("x", -1);
        if (sizes.length != 2) {
            throw new IllegalArgumentException("size: expected rows x columns as in 4096x64, got '" + size + "'");
        }
        rows = Integer.parseInt(sizes[0]);
        columns = Integer.parseInt(sizes[1]);
        vector = new VectorNormalization(Workers.of(threads));
        SplittableRandom random = new SplittableRandom(1);
        x = random(rows * columns, random);
        y = new float[x.length];
        dy = random(rows * columns, random);
        dx = new float[x.length];
        statistics = Matrix.of(new float[rows * kind.statistics()], rows, kind.statistics());
        gain = random(columns, random);
        shift = random(columns, random);
        dgain = new float[columns];
        dshift = new float[columns];
        ofX = Matrix.of(x, rows, columns);
        ofY = Matrix.of(y, rows, columns);
        ofDy = Matrix.of(dy, rows, columns);
        ofDx = Matrix.of(dx, rows, columns);
        parameters = new GainAndShift(Matrix.row(gain, 0, columns), Matrix.row(shift, 0, columns));
        dparameters = new GainAndShift(Matrix.row(dgain, 0, columns), Matrix.row(dshift, 0, columns));
        scalarUlps = check(scalar);
        vectorUlps = check(vector);
    }

    private static float[] random(int length, SplittableRandom random) {
        float[] x = new float[length];
        for (int i = 0; i < length; i++) {
            x[i] = (float) random.nextDouble(-1, 2);
        }
        return x;
    }

    /**
     * Compares y and dx of a hundred rows, and the gradient of the gain, with binary64, in units of 2^-23 of the sums
     * of their absolute terms.
     */
    private Errors check(Normalization normalization) {
        Arrays.fill(dgain, 0);
        forward(normalization);
        backward(normalization);
        int step = Math.max(1, rows / 100);
        double[] sums = new double[columns];
        double[] sizes = new double[columns];
        double maxForward = 0;
        double maxBackward = 0;
        for (int i = 0; i < rows; i++) {
            int from = i * columns;
            double mean = 0;
            for (int j = 0; j < columns && kind == Normalization.Kind.LAYER; j++) {
                mean += (double) x[from + j] / columns;
            }
            double variance = EPSILON;
            for (int j = 0; j < columns; j++) {
                variance += (x[from + j] - mean) * (x[from + j] - mean) / columns;
            }
            double r = 1 / Math.sqrt(variance);
            double center = 0;
            double inner = 0;
            double absoluteCenter = 0;
            double absoluteInner = 0;
            for (int j = 0; j < columns; j++) {
                double h = (x[from + j] - mean) * r;
                double g = (double) dy[from + j] * gain[j];
                center += kind == Normalization.Kind.LAYER ? g / columns : 0;
                absoluteCenter += kind == Normalization.Kind.LAYER ? Math.abs(g) / columns : 0;
                inner += g * h / columns;
                absoluteInner += Math.abs(g * h) / columns;
                sums[j] += dy[from + j] * h;
                sizes[j] += Math.abs(dy[from + j]) * (Math.abs(h) + Math.abs(mean * r));
            }
            for (int j = 0; j < columns && i % step == 0; j++) {
                double h = (x[from + j] - mean) * r;
                double y64 = h * gain[j] + shift[j];
                double size = Math.abs(h * gain[j]) + Math.abs(shift[j]) + Math.abs(mean * r * gain[j]);
                maxForward = Math.max(maxForward, ulps(normalization, "y", y[from + j], y64, size));
                double g = (double) dy[from + j] * gain[j];
                double dx64 = r * (g - center - h * inner);
                double dxSize = r * (Math.abs(g) + absoluteCenter + Math.abs(h) * absoluteInner);
                maxBackward = Math.max(maxBackward, ulps(normalization, "dx", dx[from + j], dx64, dxSize));
            }
        }
        for (int j = 0; j < columns; j++) {
            maxBackward = Math.max(maxBackward, ulps(normalization, "dgain", dgain[j], sums[j], sizes[j]));
        }
        return new Errors(maxForward, maxBackward);
    }

    private double ulps(Normalization normalization, String name, float actual, double exact, double size) {
        double ulps = Math.abs(actual - exact) / (0x1p-23 * size);
        if (!(ulps <= 16 + columns / 8.0)) {
            throw new IllegalStateException(
                    normalization.getClass().getSimpleName() + ": " + name + " is " + actual + ", expected " + exact);
        }
        return ulps;
    }

    private void forward(Normalization normalization) {
        normalization.forward(ofY, statistics, ofX, parameters, kind, EPSILON);
    }

    private void backward(Normalization normalization) {
        normalization.backward(ofDx, dparameters, ofDy, statistics, ofX, parameters, kind);
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        forward(scalar);
        work.add(8.0 * x.length, 8.0 * x.length);
        error.report(scalarUlps.forward);
        return y;
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        forward(vector);
        work.add(8.0 * x.length, 8.0 * x.length);
        error.report(vectorUlps.forward);
        return y;
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalarBackward(Work work, MaxError error) {
        backward(scalar);
        error.report(scalarUlps.backward);
        work.add(14.0 * x.length, 12.0 * x.length);
        return dx;
    }

    @Benchmark
    public float[] vectorBackward(Work work, MaxError error) {
        backward(vector);
        error.report(vectorUlps.backward);
        work.add(14.0 * x.length, 12.0 * x.length);
        return dx;
    }
}
