package org.lemmata.train.peer;

import org.bytedeco.pytorch.Tensor;
import org.lemmata.benchmark.peer.Mkl;
import org.lemmata.benchmark.peer.Torch;

/** The library that computes PyTorch's matrix products, and its number of threads. */
interface Products {

    /** Called when PyTorch's threads begin to call products concurrently. */
    default void beginAttention() {}

    /** Called when products are called one at a time again. */
    default void endAttention() {}

    /**
     * Calls {@link #beginAttention} and {@link #endAttention} in the backward pass.
     *
     * @param outputs outputs of attention, at which its backward pass begins
     * @param inputs inputs of attention, at which its backward pass ends
     */
    default void markBackward(Tensor outputs, Tensor inputs) {}

    String description();

    /** MKL. It uses PyTorch's own threads, but only the calling thread if those threads call it concurrently. */
    static Products mkl(int threads) {
        Torch.loadWithMkl(threads);
        return Mkl::description;
    }
}
