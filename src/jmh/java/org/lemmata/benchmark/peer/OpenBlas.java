package org.lemmata.benchmark.peer;

import java.util.Locale;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;

/**
 * OpenBLAS, alone or within PyTorch.
 *
 * <p>It holds code for many processors and picks a core while it is loaded. Where it does not know the processor it
 * picks an older one, and so leaves AVX-512 aside on some machines that have it; a ratio against it alone flatters
 * others. Hence a second row with the core forced.
 */
public final class OpenBlas {

    private static final String CORE_VARIABLE = "OPENBLAS_CORETYPE";

    /** The core with AVX-512 and nothing newer: it runs wherever AVX-512 does. */
    private static final String AVX512_CORE = "SKYLAKEX";

    private OpenBlas() {}

    /** Loads it; in a JVM that has MKL, {@code cblas_sgemm} could be either's. */
    public static void load() {
        Loader.load(openblas_nolapack.class);
    }

    /** Before OpenBLAS is loaded. JMH cannot set the environment of one fork, so the fork sets it for itself. */
    public static void forceAvx512() {
        NativeFunction.setEnvironment(CORE_VARIABLE, AVX512_CORE);
    }

    /**
     * What it is and which core's code it runs.
     *
     * @throws IllegalStateException if a core was forced and it runs another one's
     */
    public static String description(boolean forced) {
        String core = NativeFunction.text("openblas_get_corename");
        if (forced && !core.toUpperCase(Locale.ROOT).equals(AVX512_CORE)) {
            throw new IllegalStateException(CORE_VARIABLE + ": expected core " + AVX512_CORE + ", got " + core);
        }
        return NativeFunction.text("openblas_get_config") + (forced ? ", forced" : ", as it comes");
    }

    public static void setThreads(int threads) {
        NativeFunction.call("openblas_set_num_threads", threads);
    }
}
