package org.lemmata.train.peer;

import org.bytedeco.pytorch.Tensor;
import org.lemmata.benchmark.peer.Mkl;
import org.lemmata.benchmark.peer.Torch;

/** The library of PyTorch's matrix products, and its number of threads. */
interface Products {

    /** From here on, PyTorch's threads call products concurrently. */
    default void beginAttention() {}

    /** From here on, products are called one at a time. */
    default void endAttention() {}

    /**
     * Marks both points in the backward pass.
     *
     * @param outputs outputs of attention, where its backward pass begins
     * @param inputs inputs of attention, where its backward pass ends
     */
    default void markBackward(Tensor outputs, Tensor inputs) {}

    String description();

    /** MKL, which uses PyTorch's own threads, but only the calling thread if those threads call it concurrently. */
    static Products mkl(int threads) {
        Torch.loadWithMkl(threads);
        return Mkl::description;
    }
}
