package org.lemmata.benchmark.peer;

import java.util.Locale;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;

/**
 * OpenBLAS, alone or within PyTorch.
 *
 * <p>It has code for many processor cores and chooses one while loading. For an unknown processor it chooses an older
 * core, so that it does not use AVX-512 on some machines that have it. The ratio would then be too favorable for
 * Lemmata. A second row therefore forces a core.
 */
public final class OpenBlas {

    private static final String CORE_VARIABLE = "OPENBLAS_CORETYPE";

    /** The core with AVX-512 but without newer instructions, which runs on any machine with AVX-512. */
    private static final String AVX512_CORE = "SKYLAKEX";

    private OpenBlas() {}

    /**
     * Loads OpenBLAS. Must not be called in a JVM with MKL, because calls of {@code cblas_sgemm} could then use either
     * library.
     */
    public static void load() {
        Loader.load(openblas_nolapack.class);
    }

    /**
     * Forces {@link #AVX512_CORE}. Must be called before OpenBLAS is loaded. JMH cannot set the environment of a fork,
     * so the fork sets it.
     */
    public static void forceAvx512() {
        NativeFunction.setEnvironment(CORE_VARIABLE, AVX512_CORE);
    }

    /**
     * The configuration, and the core whose code runs.
     *
     * @throws IllegalStateException if the code of the forced core does not run
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
