package org.lemmata.train.peer;

import org.bytedeco.pytorch.Tensor;
import org.lemmata.benchmark.peer.Mkl;
import org.lemmata.benchmark.peer.Torch;

/** The library that PyTorch multiplies matrices with, on how many threads. */
interface Products {

    /** From here on its threads call products side by side. */
    default void beginAttention() {}

    /** From here on one product at a time is called. */
    default void endAttention() {}

    /**
     * Tells where both lie in the backward pass.
     *
     * @param outputs of attention, where its backward pass begins
     * @param inputs of attention, where it has ended
     */
    default void markBackward(Tensor outputs, Tensor inputs) {}

    String description();

    /** MKL, which takes PyTorch's own threads, and only the caller where those call it side by side. */
    static Products mkl(int threads) {
        Torch.loadWithMkl(threads);
        return Mkl::description;
    }
}
