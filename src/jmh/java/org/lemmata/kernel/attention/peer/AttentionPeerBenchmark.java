package org.lemmata.kernel.attention.peer;

import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.benchmark.peer.Contender;
import org.lemmata.benchmark.peer.PeerBenchmark;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Causal attention forward, compared with PyTorch's fused kernel, in calls per second. Read {@code gigaflops}, which
 * counts the operations of the causal formula. {@code maxErrorUlps} is in units of 2^-23 of the maximum output of a
 * head.
 *
 * <p>Run: {@code mvn -P jmh,peers verify -Djmh.include=AttentionPeer}; other shapes, batch x heads x length x head
 * width: add {@code -Djmh.args="-p attention=1024x1x64x16"}. {@code pytorch-avx512} is for machines whose AVX-512 the
 * OpenBLAS within PyTorch does not detect.
 *
 * <p>Pitfalls: with gradients enabled, PyTorch also saves values that only a backward pass reads. Tensors that are left
 * to the garbage collector fill the memory outside the heap.
 */
public class AttentionPeerBenchmark extends PeerBenchmark {

    @Param({"lemmata", "pytorch"})
    public String library = "";

    @Param({"4x8x1024x64", "16x1x700x30"})
    public String attention = "";

    private AttentionPeerProblem problem = new AttentionPeerProblem(0, 0, 0, 0);

    @Setup
    public void prepare() {
        int[] sizes = sizes("attention", attention, 4);
        problem = new AttentionPeerProblem(sizes[0], sizes[1], sizes[2], sizes[3]);
        start(contender(), problem::checkedErrorUlps);
    }

    private Contender contender() {
        return switch (library) {
            case "lemmata" -> LemmataAttention.forward(problem, threads);
            case "pytorch" -> TorchAttention.forward(problem, threads, false);
            case "pytorch-avx512" -> TorchAttention.forward(problem, threads, true);
            default -> throw unknownLibrary(library, "lemmata, pytorch or pytorch-avx512");
        };
    }

    @Benchmark
    public Object forward(Work work, MaxError error) {
        return run(work, error, problem.forwardFlops(), problem.forwardBytes());
    }
}
