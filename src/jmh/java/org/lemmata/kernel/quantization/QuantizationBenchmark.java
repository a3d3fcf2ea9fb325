package org.lemmata.kernel.quantization;

import java.util.concurrent.TimeUnit;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.lemmata.benchmark.Checked;
import org.lemmata.benchmark.KernelBenchmark;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.elementary.ScalarExp;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.elementary.VectorExp;
import org.lemmata.kernel.problem.Expected;
import org.lemmata.kernel.problem.QuantizationProblem;
import org.lemmata.kernel.problem.Workload;
import org.lemmata.number.Rounding;
import org.lemmata.number.TensorRounding;
import org.lemmata.random.RandomStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Rounding of an array, in arrays per second. {@code vectorExponentials} computes e^x of the same array. Its rate
 * divided by the rate of {@code vector} is the cost of rounding, in vector exponentials per element.
 * {@code ElementaryBenchmark} computes exponentials faster, so add it to the run. {@code scalarSums} and
 * {@code vectorSums} round exact sums. Block formats have no sums, so their elements are only rounded.
 *
 * <p>{@code maxErrorUlps} of rounding is 0, because {@code @Setup} compares results bit by bit. {@code gigabytes}
 * counts each array once.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=QuantizationBenchmark}; other parameters: add {@code -Djmh.args="-p
 * elements=4096,65536 -p format=tf32,ocp_e5m2 -p mode=TiesToAway,TowardZero,TowardPositive,ToOdd"}.
 *
 * <p>Pitfalls: with the same stream in each call, random words could be cached, so every call has its own step. In
 * place, all calls except the first would round numbers of the format, which have no ties and take less time on some
 * machines.
 */
public class QuantizationBenchmark extends KernelBenchmark {

    private static final VectorSpecies<Float> SPECIES = Species.FLOAT;

    @Param({"bfloat16", "binary16", "ocp_e4m3", "mxfp4_e2m1", "int8"})
    public String format = "";

    @Param({"TiesToEven", "Stochastic"})
    public String mode = "";

    @Param("4096")
    public int elements;

    private final Checked<Quantization> rounded = new Checked<>();
    private final Checked<Quantization> sums = new Checked<>();
    private float[] x = {};
    private float[] y = {};
    private double exponentialErrorUlps;

    @Setup
    public void prepare() {
        TensorRounding rounding = TensorRounding.parse(format, Rounding.Mode.parse(mode), true, false);
        var problem = new QuantizationProblem(rounding, elements);
        Quantization scalar = new ScalarQuantization();
        Quantization vector = new VectorQuantization(startWorkers());
        Checked.requireSameBits(problem.round(), scalar, vector);
        Checked.requireSameBits(problem.add(), scalar, vector);
        x = problem.x();
        Workload<Quantization> workload = problem.round();
        if (rounding instanceof Rounding elementwise) {
            RandomStream stream = new RandomStream(1, 2, 0);
            workload = workload.expecting(
                    i -> exactly(elementwise.round(x[i], elementwise.isStochastic() ? stream.word(i) : 0)));
        }
        rounded.prepare(workload, scalar, vector, 1);
        sums.prepare(problem.add(), scalar, vector, 1);
        y = new float[elements];
        exponentiate();
        for (int i = 0; i < elements; i++) {
            exponentialErrorUlps = Math.max(
                    exponentialErrorUlps, Expected.inUlps(Math.exp(x[i])).ulps(y[i]));
        }
        if (!(exponentialErrorUlps <= 1)) {
            throw new IllegalStateException("exponentials off by up to " + exponentialErrorUlps + " ulps");
        }
    }

    /** Makes any difference an infinite error. */
    private static Expected exactly(float value) {
        return new Expected(value, 0);
    }

    private void exponentiate() {
        int whole = SPECIES.loopBound(elements);
        for (int i = 0; i < whole; i += SPECIES.length()) {
            VectorExp.exp(FloatVector.fromArray(SPECIES, x, i)).intoArray(y, i);
        }
        for (int i = whole; i < elements; i++) {
            y[i] = ScalarExp.exp(x[i]);
        }
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        return rounded.scalar(work, error);
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        return rounded.vector(work, error);
    }

    @Benchmark
    public float[] vectorExponentials(Work work, MaxError error) {
        work.add(elements, 8.0 * elements);
        error.report(exponentialErrorUlps);
        exponentiate();
        return y;
    }

    @Benchmark
    @Warmup(iterations = 2, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalarSums(Work work, MaxError error) {
        return sums.scalar(work, error);
    }

    @Benchmark
    public float[] vectorSums(Work work, MaxError error) {
        return sums.vector(work, error);
    }
}
