package org.lemmata.kernel.normalization.peer;

import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.benchmark.peer.Contender;
import org.lemmata.benchmark.peer.LemmataContender;
import org.lemmata.benchmark.peer.PeerBenchmark;
import org.lemmata.benchmark.peer.Torch;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.normalization.GainAndShift;
import org.lemmata.kernel.normalization.Normalization;
import org.lemmata.kernel.normalization.VectorNormalization;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Layer normalization of the rows of a matrix, with gain and shift, and the statistics that a backward pass reads,
 * compared with PyTorch, in calls per second. Read {@code gigabytes}, which counts both matrices once.
 * {@code maxErrorUlps} is the absolute error in units of 2^-23; the largest element of a row is about 1 or more.
 *
 * <p>Run: {@code mvn -P jmh,peers verify -Djmh.include=LayerNormPeer}; other sizes, rows x columns: add
 * {@code -Djmh.args="-p norm=11200x30"}. One default size fits in the second-level cache; the other exceeds it.
 *
 * <p>PyTorch allocates its outputs in each call, because its variant with given outputs only adds a copy.
 */
public class LayerNormPeerBenchmark extends PeerBenchmark {

    private static final float EPSILON = 1e-5f;
    private static final double MAX_ULPS = 64;

    @Param({"lemmata", "pytorch"})
    public String library = "";

    @Param({"64x768", "8192x768"})
    public String norm = "";

    private int rows;
    private int columns;
    private float[] x = {};
    private float[] gain = {};
    private float[] shift = {};

    @Setup
    public void prepare() {
        int[] sizes = sizes("norm", norm, 2);
        rows = sizes[0];
        columns = sizes[1];
        x = random(1, rows * columns, 2);
        gain = random(2, columns, 1);
        shift = random(3, columns, 1);
        Contender contender = switch (library) {
            case "lemmata" -> lemmata();
            case "pytorch" -> pytorch();
            default -> throw unknownLibrary(library, "lemmata or pytorch");
        };
        start(contender, results -> checkedErrorUlps(results.getFirst()));
    }

    private Contender lemmata() {
        float[] y = new float[rows * columns];
        Normalization.Kind kind = Normalization.Kind.LAYER;
        float[] statistics = new float[rows * kind.statistics()];
        return LemmataContender.contender(
                threads,
                workers -> {
                    Normalization normalization = new VectorNormalization(workers);
                    Matrix ofY = Matrix.of(y, rows, columns);
                    Matrix ofStatistics = Matrix.of(statistics, rows, kind.statistics());
                    Matrix ofX = Matrix.of(x, rows, columns);
                    var parameters = new GainAndShift(Matrix.row(gain, 0, columns), Matrix.row(shift, 0, columns));
                    return () -> normalization.forward(ofY, ofStatistics, ofX, parameters, kind, EPSILON);
                },
                List.of(y));
    }

    private Contender pytorch() {
        Torch.load(threads, false);
        Tensor input = Torch.tensor(x, rows, columns);
        TensorOptional weight = new TensorOptional(Torch.tensor(gain, columns));
        TensorOptional bias = new TensorOptional(Torch.tensor(shift, columns));
        long[] normalized = {columns};
        return Torch.contender(
                false,
                () -> List.of(torch.native_layer_norm(input, normalized, weight, bias, EPSILON)
                        .get0()));
    }

    private double checkedErrorUlps(float[] y) {
        double maxUlps = 0;
        for (int row = 0; row < rows; row++) {
            double mean = 0;
            for (int j = 0; j < columns; j++) {
                mean += (double) x[row * columns + j] / columns;
            }
            double variance = 0;
            for (int j = 0; j < columns; j++) {
                variance += Math.pow(x[row * columns + j] - mean, 2) / columns;
            }
            for (int j = 0; j < columns; j++) {
                double exact = gain[j] * (x[row * columns + j] - mean) / Math.sqrt(variance + EPSILON) + shift[j];
                double ulps = Math.abs(y[row * columns + j] - exact) / 0x1p-23;
                if (!(ulps <= MAX_ULPS)) {
                    throw new IllegalStateException(library + ", row " + row + ": y[" + j + "] is "
                            + y[row * columns + j] + ", expected " + exact);
                }
                maxUlps = Math.max(maxUlps, ulps);
            }
        }
        return maxUlps;
    }

    @Benchmark
    public Object forward(Work work, MaxError error) {
        // Operations: 1 for the mean, 3 for the variance, 3 for the result.
        return run(work, error, 7.0 * rows * columns, 2.0 * Float.BYTES * rows * columns);
    }
}
