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
 * A whole training step of a GPT-2-like decoder (forward, mean cross-entropy, backward, AdamW) beside PyTorch, steps a
 * second; read {@code gigaflops}. The same weights and the same batch for all; {@code maxErrorUlps} is that of the
 * losses before the first step and after one and two, in units of 2^-23 of the loss.
 *
 * <p>Run: {@code mvn -P jmh,peers verify -Djmh.include=TrainingPeer}. {@code pytorch} multiplies matrices with the
 * OpenBLAS that comes with it on the JVM, {@code pytorch-mkl} with MKL, as most of its Python users have it: a ratio is
 * worth what it is to the faster one. {@code pytorch-avx512} is for machines whose AVX-512 OpenBLAS does not find;
 * {@code pytorch-binary64} gives the losses that are expected.
 *
 * <p>What goes wrong if it is written otherwise: a step without its optimizer, or with the unfused one of PyTorch's C++
 * library, flatters us; so do the two pools of threads within PyTorch where they are left to fight (
 * {@link OpenBlasProducts}). Tensors that are left to the garbage collector fill the memory outside the heap.
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
