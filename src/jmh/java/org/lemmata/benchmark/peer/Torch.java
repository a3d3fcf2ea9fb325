package org.lemmata.benchmark.peer;

import java.nio.FloatBuffer;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * PyTorch's C++ library: its ATen kernels without Python. Matrix products use OpenBLAS ({@link #load}) or, as in the
 * wheels that most people install, MKL ({@link #loadWithMkl}).
 */
public final class Torch {

    private static final Pattern VERSION = Pattern.compile("TORCH_VERSION=([^, ]+)");

    private Torch() {}

    /**
     * Loads PyTorch with OpenBLAS.
     *
     * @param forced whether OpenBLAS must run AVX-512 code
     */
    public static void load(int threads, boolean forced) {
        if (forced) {
            OpenBlas.forceAvx512();
        }
        torch.set_num_threads(threads);
        torch.set_num_interop_threads(1);
        // PyTorch's threads call OpenBLAS concurrently. If OpenBLAS also used threads, attention took up to twenty
        // times as long.
        OpenBlas.setThreads(1);
    }

    /**
     * Loads PyTorch with MKL instead of OpenBLAS, on PyTorch's own threads, as most Python users have it. Must not be
     * called in a JVM that has already loaded either library.
     */
    public static void loadWithMkl(int threads) {
        System.setProperty("org.bytedeco.openblas.load", "mkl_rt");
        NativeFunction.setEnvironment("MKL_THREADING_LAYER", "GNU");
        torch.set_num_threads(threads);
        torch.set_num_interop_threads(1);
        Mkl.setThreads(threads);
    }

    private static String version() {
        Matcher version = VERSION.matcher(torch.show_config().getString());
        return version.find() ? version.group(1) : "of unknown version";
    }

    /** The version, the code that PyTorch chose for this processor, and the library of matrix products. */
    public static String description(String blas) {
        return "PyTorch " + version() + ", CPU capability "
                + torch.get_cpu_capability().getString() + ", " + blas;
    }

    public static Tensor tensor(float[] values, long... shape) {
        return Tensor.create(values, shape);
    }

    /** The elements in row-major order, for any strides. */
    public static float[] array(Tensor tensor) {
        FloatBuffer buffer = tensor.detach().contiguous().createBuffer();
        float[] values = new float[buffer.remaining()];
        buffer.get(values);
        return values;
    }

    /**
     * An operation of PyTorch with OpenBLAS on existing tensors. The tensors that it returns are freed after the call.
     *
     * @param operation returns the result tensors, in the layout that all libraries share
     */
    public static Contender contender(boolean forced, Supplier<List<Tensor>> operation) {
        return new Contender() {
            @Override
            public void run() {
                try (PointerScope _ = new PointerScope()) {
                    List<Tensor> _ = operation.get();
                }
            }

            @Override
            public List<float[]> results() {
                try (PointerScope _ = new PointerScope()) {
                    return operation.get().stream().map(Torch::array).toList();
                }
            }

            @Override
            public String description() {
                return Torch.description(OpenBlas.description(forced));
            }
        };
    }
}
