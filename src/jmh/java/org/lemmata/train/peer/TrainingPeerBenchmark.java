package org.lemmata.train.peer;

import java.util.concurrent.TimeUnit;
import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.benchmark.peer.Contender;
import org.lemmata.benchmark.peer.PeerBenchmark;
import org.lemmata.train.TrainingProblem;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A whole training step of a GPT-2-like decoder (forward, mean cross-entropy, backward, AdamW) compared with PyTorch,
 * in steps per second. Read {@code gigaflops}. All libraries use the same weights and batch. {@code maxErrorUlps} is
 * the maximum error of the losses before the first step and after one and two steps, in units of 2^-23 of the loss.
 *
 * <p>Run: {@code mvn -P jmh,peers verify -Djmh.include=TrainingPeer}. {@code pytorch} multiplies matrices with the
 * OpenBLAS that comes with it on the JVM. {@code pytorch-mkl} uses MKL, as most Python users do. Compare with the
 * faster of the two. {@code pytorch-avx512} is for machines whose AVX-512 OpenBLAS does not detect.
 * {@code pytorch-binary64} computes the expected losses.
 *
 * <p>Pitfalls: a step without the optimizer, or with the unfused optimizer of PyTorch's C++ library, would be too
 * favorable for Lemmata. The same holds for competition between the two thread pools within PyTorch
 * ({@link OpenBlasProducts}). Tensors that are left to the garbage collector fill the memory outside the heap.
 */
@Warmup(iterations = 5, time = 1, timeUnit = TimeUnit.SECONDS)
@Measurement(iterations = 5, time = 1, timeUnit = TimeUnit.SECONDS)
public class TrainingPeerBenchmark extends PeerBenchmark {

    @Param({"lemmata", "pytorch", "pytorch-mkl"})
    public String library = "";

    @Param({"A", "B", "C", "D"})
    public TrainingProblem problem = TrainingProblem.B;

    @Setup
    public void prepare() {
        start(contender(), results -> problem.checkedErrorUlps(results.getFirst()));
    }

    private Contender contender() {
        return switch (library) {
            case "lemmata" -> new LemmataDecoder(problem, threads);
            case "pytorch" -> new TorchDecoder(problem, new OpenBlasProducts(threads, false), false);
            case "pytorch-avx512" -> new TorchDecoder(problem, new OpenBlasProducts(threads, true), false);
            case "pytorch-mkl" -> new TorchDecoder(problem, Products.mkl(threads), false);
            case "pytorch-binary64" -> new TorchDecoder(problem, new OpenBlasProducts(threads, false), true);
            default ->
                throw unknownLibrary(library, "lemmata, pytorch, pytorch-mkl, pytorch-avx512 or pytorch-binary64");
        };
    }

    @Benchmark
    public Object step(Work work, MaxError error) {
        return run(work, error, problem.flops(), problem.bytes());
    }
}
