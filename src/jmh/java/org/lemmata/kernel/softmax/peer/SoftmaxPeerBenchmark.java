package org.lemmata.kernel.softmax.peer;

import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.benchmark.peer.Contender;
import org.lemmata.benchmark.peer.LemmataContender;
import org.lemmata.benchmark.peer.PeerBenchmark;
import org.lemmata.benchmark.peer.Torch;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.kernel.softmax.Softmax;
import org.lemmata.kernel.softmax.VectorSoftmax;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Softmax of the rows of a matrix compared with PyTorch, in calls per second. Read {@code gigabytes}, which counts each
 * matrix once.
 *
 * <p>Run: {@code mvn -P jmh,peers verify -Djmh.include=SoftmaxPeer}; other sizes, rows x columns: add
 * {@code -Djmh.args="-p softmax=700x700"}. One default size fits in the second-level cache; the other exceeds it.
 *
 * <p>Both libraries read one matrix and write another. Pitfalls: in place, repeated softmax becomes nearly uniform.
 * Without an output tensor, PyTorch allocates a tensor in each call.
 */
public class SoftmaxPeerBenchmark extends PeerBenchmark {

    @Param({"lemmata", "pytorch"})
    public String library = "";

    @Param({"32x1024", "4096x1024"})
    public String softmax = "";

    private int rows;
    private int columns;
    private float[] scores = {};

    @Setup
    public void prepare() {
        int[] sizes = sizes("softmax", softmax, 2);
        rows = sizes[0];
        columns = sizes[1];
        scores = random(1, rows * columns, 8);
        Contender contender = switch (library) {
            case "lemmata" -> lemmata();
            case "pytorch" -> pytorch();
            default -> throw unknownLibrary(library, "lemmata or pytorch");
        };
        start(contender, results -> checkedErrorUlps(results.getFirst()));
    }

    private Contender pytorch() {
        Torch.load(threads, false);
        Tensor x = Torch.tensor(scores, rows, columns);
        Tensor y = torch.empty_like(x);
        return Torch.contender(false, () -> List.of(torch.softmax_out(y, x, 1)));
    }

    private Contender lemmata() {
        float[] y = new float[rows * columns];
        return LemmataContender.contender(
                threads,
                workers -> {
                    Softmax kernel = new VectorSoftmax(workers);
                    Matrix ofY = Matrix.of(y, rows, columns);
                    Matrix ofScores = Matrix.of(scores, rows, columns);
                    return () -> kernel.forwardInto(ofY, ofScores);
                },
                List.of(y));
    }

    /** The maximum error compared with binary64. A sum of n terms and exponents up to 16 allow n + 22 ulps. */
    private double checkedErrorUlps(float[] y) {
        double maxUlps = 0;
        for (int row = 0; row < rows; row++) {
            double sum = 0;
            for (int j = 0; j < columns; j++) {
                sum += Math.exp(scores[row * columns + j]);
            }
            for (int j = 0; j < columns; j++) {
                double exact = Math.exp(scores[row * columns + j]) / sum;
                double ulps = Math.abs(y[row * columns + j] - exact) / Math.ulp((float) exact);
                if (!(ulps <= columns + 22)) {
                    throw new IllegalStateException(library + ", row " + row + ": y[" + j + "] is "
                            + y[row * columns + j] + ", expected " + exact);
                }
                maxUlps = Math.max(maxUlps, ulps);
            }
        }
        return maxUlps;
    }

    @Benchmark
    public Object softmax(Work work, MaxError error) {
        // Operations per element: maximum, subtraction, exponential, addition and division.
        return run(work, error, 5.0 * rows * columns, 2.0 * Float.BYTES * rows * columns);
    }
}
