package org.lemmata.kernel.matmul;

import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.Checked;
import org.lemmata.benchmark.KernelBenchmark;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.kernel.problem.MatMulProblem;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * C = A B, in products per second. Compare the {@link Work} with the machine's peak rate of fused multiply-adds.
 * {@link MaxError} is the maximum error found in {@code @Setup}, in units of 2^-23 |A| |B|.
 *
 * <p>Run: {@code mvn -P jmh verify -Djmh.include=matmul.MatMulBenchmark}; other sizes, forms and threads: add
 * {@code -Djmh.args="-p size=2048x2048x2048 -p form=NN,NT,TN -p threads=1,2"}. A size is m x n x k.
 *
 * <p>Pitfalls: with all sizes in one fork, the compiler sees branches of one size and recompiles during the next. With
 * a new C for each product, the garbage collector is measured. A wrong kernel may be fast, so each kernel is compared
 * with a binary64 product before timing.
 */
@Warmup(iterations = 5, time = 400, timeUnit = TimeUnit.MILLISECONDS)
public class MatMulBenchmark extends KernelBenchmark {

    @Param({"64x64x64", "256x256x256", "11200x30x30", "1024x1024x1024"})
    public String size = "";

    @Param("NN")
    public MatMul.Form form = MatMul.Form.NN;

    private final Checked<MatMul> product = new Checked<>();

    @Setup
    public void prepare() {
        int[] sizes = sizes("size", size, "m x n x k", "64x64x64");
        var problem = new MatMulProblem(form, sizes[0], sizes[1], sizes[2]);
        int step = Checked.step(sizes[0] * sizes[1]);
        product.prepare(problem.multiply(), new ScalarMatMul(), new VectorMatMul(startWorkers()), step);
    }

    /** Has fewer iterations, because a large scalar product takes more than a second. */
    @Benchmark
    @Warmup(iterations = 2, time = 400, timeUnit = TimeUnit.MILLISECONDS)
    @Measurement(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
    public float[] scalar(Work work, MaxError error) {
        return product.scalar(work, error);
    }

    @Benchmark
    public float[] vector(Work work, MaxError error) {
        return product.vector(work, error);
    }
}
