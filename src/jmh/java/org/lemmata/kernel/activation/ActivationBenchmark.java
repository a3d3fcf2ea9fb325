package org.lemmata.kernel.activation;

import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.Checked;
import org.lemmata.benchmark.Gaussian;
import org.lemmata.benchmark.KernelBenchmark;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.problem.ActivationProblem;
import org.lemmata.kernel.problem.Expected;
import org.lemmata.kernel.problem.Workload;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * An activation of an array, in calls per second. Compare the secondary result {@code gigabytes}, which counts the
 * arrays read and written (8 bytes per element forward, 12 backward), with the bandwidth of the machine.
 * {@code maxErrorUlps} is in units of 2^-23 of the result. If f' is a sum, the units are 2^-23 of the sum of its
 * absolute terms.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=ActivationBenchmark}; other parameters: add {@code -Djmh.args="-p
 * kind=RELU,GELU,TANH_GELU,COSINE -p length=4096,4194304 -p threads=1,2"}. The default length is the size of a hidden
 * matrix of 11200 x 120, which exceeds any second-level cache.
 *
 * <p>Pitfalls: in place, each call would change the inputs of the next call. With all kinds in one fork, the compiler
 * sees every branch. A wrong kernel may be fast, so before timing, the reference must be close to binary64, and the
 * vector form must have the bits of the reference.
 */
public class ActivationBenchmark extends KernelBenchmark {

    @Param("GELU")
    public Activation.Kind kind = Activation.Kind.GELU;

    @Param("1344000")
    public int length;

    private final Checked<Activation> forward = new Checked<>();
    private final Checked<Activation> backward = new Checked<>();

    @Setup
    public void prepare() {
        var problem = new ActivationProblem(kind, length);
        Activation scalar = new ScalarActivation();
        Activation vector = new VectorActivation(startWorkers());
        float[] x = problem.x();
        float[] dy = problem.dy();
        Workload<Activation> value = problem.forward().expecting(i -> value(x[i]));
        Workload<Activation> gradient = problem.backward().expecting(i -> gradient(dy[i], x[i]));
        Checked.requireSameBits(value, scalar, vector);
        Checked.requireSameBits(gradient, scalar, vector);
        forward.prepare(value, scalar, vector, Checked.step(length));
        backward.prepare(gradient, scalar, vector, Checked.step(length));
    }

    private Expected value(double at) {
        double value = switch (kind) {
            case RELU -> Math.max(0, at);
            case GELU, TANH_GELU -> at * share(at);
            case COSINE -> Math.cos(at);
        };
        return new Expected(value, Math.abs(value));
    }

    private Expected gradient(double dy, double at) {
        return switch (kind) {
            case RELU -> product(dy, at > 0 ? 1 : 0);
            case GELU, TANH_GELU -> {
                double slope = at * slopeOfShare(at);
                yield new Expected(dy * (share(at) + slope), Math.abs(dy) * (share(at) + Math.abs(slope)));
            }
            case COSINE -> product(dy, -Math.sin(at));
        };
    }

    private static Expected product(double dy, double slope) {
        return new Expected(dy * slope, Math.abs(dy * slope));
    }

    /** The factor of x in GELU: Phi(x), or (1 + tanh u(x)) / 2. */
    private double share(double at) {
        return kind == Activation.Kind.GELU ? Gaussian.distribution(at) : (1 + Math.tanh(argument(at))) / 2;
    }

    private double slopeOfShare(double at) {
        if (kind == Activation.Kind.GELU) {
            return Gaussian.density(at);
        }
        double tanh = Math.tanh(argument(at));
        return (1 - tanh * tanh) / 2 * Math.sqrt(2 / Math.PI) * (1 + 3 * 0.044715 * at * at);
    }

    private static double argument(double at) {
        return Math.sqrt(2 / Math.PI) * (at + 0.044715 * at * at * at);
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
