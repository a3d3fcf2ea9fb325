package org.lemmata.kernel.attention.peer;

import org.lemmata.benchmark.MaxError;
import org.lemmata.benchmark.Work;
import org.lemmata.benchmark.peer.Contender;
import org.lemmata.benchmark.peer.PeerBenchmark;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Causal attention forward and backward, compared with PyTorch's fused kernel and its automatic differentiation, in
 * calls per second. Read {@code gigaflops}, where the backward pass counts 2.5 times as much as the forward pass.
 * {@code maxErrorUlps} is in units of 2^-23 of the largest element of an output or a gradient of a head.
 *
 * <p>Run: {@code mvn -P jmh,peers verify -Djmh.include=AttentionGradientPeer}; shapes as in
 * {@link AttentionPeerBenchmark}.
 *
 * <p>Pitfalls: {@code backward()} adds to existing gradients, which would have to be cleared for a fair comparison.
 * {@code grad} returns new gradients.
 */
public class AttentionGradientPeerBenchmark extends PeerBenchmark {

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
            case "lemmata" -> LemmataAttention.forwardAndBackward(problem, threads);
            case "pytorch" -> TorchAttention.forwardAndBackward(problem, threads, false);
            case "pytorch-avx512" -> TorchAttention.forwardAndBackward(problem, threads, true);
            default -> throw unknownLibrary(library, "lemmata, pytorch or pytorch-avx512");
        };
    }

    @Benchmark
    public Object forwardAndBackward(Work work, MaxError error) {
        return run(work, error, problem.bothFlops(), problem.bothBytes());
    }
}
