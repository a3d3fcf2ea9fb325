package org.lemmata.train.peer;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorBase;
import org.bytedeco.pytorch.VoidTensorHook;
import org.lemmata.benchmark.peer.NativeFunction;
import org.lemmata.benchmark.peer.OpenBlas;
import org.lemmata.benchmark.peer.Torch;

/**
 * The OpenBLAS that comes with PyTorch on the JVM. It uses all threads for single products, but only one thread for the
 * products within attention, because PyTorch's own threads call these concurrently.
 *
 * <p>OpenBLAS does not detect PyTorch's threads. With one thread for all products, a step on two threads is hardly
 * faster than on one thread. With two threads for all products, attention takes five times as long.
 */
final class OpenBlasProducts implements Products {

    /**
     * The number of spins before a PyTorch thread sleeps. Both thread pools spin on the same processors. With their
     * defaults, a step on two threads was ten times slower than with these settings.
     */
    private static final String TORCH_WATCH_TURNS = "1000";

    /** The spin time of OpenBLAS, as the binary logarithm of processor cycles. */
    private static final String BLAS_WATCH = "10";

    private final MethodHandle setThreads;
    private final int threads;
    private final boolean forced;

    // The hooks are fields, so that they live as long as the graphs in which they are registered. The library supports
    // ten hooks of a kind.
    private final VoidTensorHook beforeAttention;
    private final VoidTensorHook afterAttention;

    /**
     * Loads PyTorch with OpenBLAS.
     *
     * @param forced whether OpenBLAS must run AVX-512 code
     */
    OpenBlasProducts(int threads, boolean forced) {
        NativeFunction.setEnvironment("GOMP_SPINCOUNT", TORCH_WATCH_TURNS);
        NativeFunction.setEnvironment("OPENBLAS_THREAD_TIMEOUT", BLAS_WATCH);
        Torch.load(threads, forced);
        this.threads = threads;
        this.forced = forced;
        setThreads = NativeFunction.of("openblas_set_num_threads", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
        beforeAttention = hook(1);
        afterAttention = hook(threads);
        set(threads);
    }

    private VoidTensorHook hook(int count) {
        return new VoidTensorHook() {
            @Override
            public void call(TensorBase gradient) {
                set(count);
            }
        };
    }

    private void set(int count) {
        try {
            setThreads.invokeExact(count);
        } catch (Throwable failure) {
            throw NativeFunction.failed("openblas_set_num_threads", failure);
        }
    }

    @Override
    public void beginAttention() {
        set(1);
    }

    @Override
    public void endAttention() {
        set(threads);
    }

    @Override
    public void markBackward(Tensor outputs, Tensor inputs) {
        if (threads > 1) {
            int _ = outputs.register_hook(beforeAttention);
            int _ = inputs.register_hook(afterAttention);
        }
    }

    @Override
    public String description() {
        return OpenBlas.description(forced);
    }
}
