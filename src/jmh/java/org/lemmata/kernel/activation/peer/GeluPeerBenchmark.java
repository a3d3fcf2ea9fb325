package org.lemmata.kernel.activation.peer;

import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.benchmark.peer.Contender;
import org.lemmata.benchmark.peer.LemmataContender;
import org.lemmata.benchmark.peer.PeerBenchmark;
import org.lemmata.benchmark.peer.Torch;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.activation.VectorActivation;
import org.lemmata.kernel.matrix.Matrix;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * GELU in its tanh form, y from x, compared with PyTorch, in calls per second; read {@code gigabytes}, which counts
 * both arrays once.
 *
 * <p>Run: {@code mvn -P jmh,peers verify -Djmh.include=GeluPeer}; other lengths: add {@code -Djmh.args="-p gelu=4096"}.
 * One default length fits in the second-level cache; the other exceeds all caches. {@code maxErrorUlps} is in units of
 * 2^-23 of |x|, because PyTorch has few correct digits for large negative x, where y is nearly 0.
 *
 * <p>Pitfalls: without an output tensor, PyTorch allocates one in each call.
 */
public class GeluPeerBenchmark extends PeerBenchmark {

    private static final double MAX_ULPS = 8;

    @Param({"lemmata", "pytorch"})
    public String library = "";

    @Param({"65536", "16777216"})
    public int gelu;

    private float[] x = {};

    @Setup
    public void prepare() {
        x = random(1, gelu, 4);
        Contender contender = switch (library) {
            case "lemmata" -> lemmata();
            case "pytorch" -> pytorch();
            default -> throw unknownLibrary(library, "lemmata or pytorch");
        };
        start(contender, results -> checkedErrorUlps(results.getFirst()));
    }

    private Contender lemmata() {
        float[] y = new float[gelu];
        return LemmataContender.contender(
                threads,
                workers -> {
                    Activation activation = new VectorActivation(workers);
                    Matrix ofY = Matrix.row(y, 0, gelu);
                    Matrix ofX = Matrix.row(x, 0, gelu);
                    return () -> activation.forwardInto(Activation.Kind.TANH_GELU, ofY, ofX);
                },
                List.of(y));
    }

    private Contender pytorch() {
        Torch.load(threads, false);
        Tensor input = Torch.tensor(x, gelu);
        Tensor output = torch.empty_like(input);
        return Torch.contender(false, () -> List.of(torch.gelu_out(output, input, "tanh")));
    }

    private double checkedErrorUlps(float[] y) {
        double maxUlps = 0;
        for (int i = 0; i < gelu; i += 61) {
            double u = Math.sqrt(2 / Math.PI) * (x[i] + 0.044715 * Math.pow(x[i], 3));
            double exact = 0.5 * x[i] * (1 + Math.tanh(u));
            double ulps = Math.abs(y[i] - exact) / (Math.abs(x[i]) * 0x1p-23);
            if (!(ulps <= MAX_ULPS)) {
                throw new IllegalStateException(library + ": gelu(" + x[i] + ") is " + y[i] + ", expected " + exact);
            }
            maxUlps = Math.max(maxUlps, ulps);
        }
        return maxUlps;
    }

    @Benchmark
    public Object gelu(Work work, MaxError error) {
        // Operations of the formula: 5 for u, 4 for tanh with an exponential counted as 1, and 3 for all else.
        return run(work, error, 12.0 * gelu, 2.0 * Float.BYTES * gelu);
    }
}
