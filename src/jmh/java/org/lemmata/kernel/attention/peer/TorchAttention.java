package org.lemmata.kernel.attention.peer;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.DoubleOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.lemmata.benchmark.peer.Contender;
import org.lemmata.benchmark.peer.Torch;

/**
 * Attention by PyTorch's fused {@code scaled_dot_product_attention} and its automatic differentiation. Tensors are
 * batch x heads x length x width without gaps, which is the fastest layout for its kernel.
 */
final class TorchAttention {

    /** The gradient function that only results of the fused kernel have. */
    private static final String FUSED = "ScaledDotProductFlashAttentionForCpuBackward0";

    private static final double NO_DROPOUT = 0;
    private static final boolean CAUSAL = true;

    private final Tensor queries;
    private final Tensor keys;
    private final Tensor values;
    private final Tensor dOutputs;
    private final TensorOptional noMask = new TensorOptional();
    private final DoubleOptional scaleByWidth = new DoubleOptional();

    private TorchAttention(AttentionPeerProblem problem) {
        queries = tensor(problem.queries, problem).requires_grad_(true);
        keys = tensor(problem.keys, problem).requires_grad_(true);
        values = tensor(problem.values, problem).requires_grad_(true);
        dOutputs = tensor(problem.dOutputs, problem);
        String kernel = attend().grad_fn().name().getString();
        if (!kernel.equals(FUSED)) {
            throw new IllegalStateException("expected the fused kernel, got " + kernel);
        }
    }

    static Contender forward(AttentionPeerProblem problem, int threads, boolean forced) {
        Torch.load(threads, forced);
        TorchAttention attention = new TorchAttention(problem);
        return Torch.contender(forced, attention::forward);
    }

    static Contender forwardAndBackward(AttentionPeerProblem problem, int threads, boolean forced) {
        Torch.load(threads, forced);
        TorchAttention attention = new TorchAttention(problem);
        return Torch.contender(forced, attention::forwardAndBackward);
    }

    private static Tensor tensor(float[] data, AttentionPeerProblem problem) {
        return exchanged(Torch.tensor(data, problem.batch, problem.length, problem.heads, problem.width))
                .contiguous();
    }

    /** Exchanges heads and positions, which converts between Lemmata's layout and that of the fused kernel. */
    private static Tensor exchanged(Tensor tensor) {
        return tensor.transpose(1, 2);
    }

    private Tensor attend() {
        return torch.scaled_dot_product_attention(
                queries, keys, values, noMask, NO_DROPOUT, CAUSAL, scaleByWidth, false);
    }

    private List<Tensor> forward() {
        try (NoGradGuard _ = new NoGradGuard()) {
            return List.of(exchanged(attend()));
        }
    }

    private List<Tensor> forwardAndBackward() {
        Tensor outputs = attend();
        TensorVector gradients = torch.grad(
                new TensorVector(outputs),
                new TensorVector(queries, keys, values),
                new TensorVector(dOutputs),
                new BoolOptional(),
                false,
                false);
        List<Tensor> results = new ArrayList<>(List.of(exchanged(outputs)));
        for (long i = 0; i < gradients.size(); i++) {
            results.add(exchanged(gradients.get(i)));
        }
        return results;
    }
}
