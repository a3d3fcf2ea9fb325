package org.lemmata.benchmark.peer;

import java.util.Locale;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;

/**
 * OpenBLAS, by itself or within PyTorch.
 *
 * <p>It has code for many processors and chooses a core while loading. For an unknown processor it chooses an older
 * core, and so does not use AVX-512 on some machines that have it, which would make the ratio look too good for us.
 * Therefore there is a second row with a forced core.
 */
public final class OpenBlas {

    private static final String CORE_VARIABLE = "OPENBLAS_CORETYPE";

    /** The core with AVX-512 but no newer instructions, which runs on any machine with AVX-512. */
    private static final String AVX512_CORE = "SKYLAKEX";

    private OpenBlas() {}

    /** Loads OpenBLAS. Do not call it in a JVM with MKL: {@code cblas_sgemm} could then be either library's. */
    public static void load() {
        Loader.load(openblas_nolapack.class);
    }

    /** Call this before OpenBLAS is loaded. JMH cannot set the environment of a fork, so the fork sets it itself. */
    public static void forceAvx512() {
        NativeFunction.setEnvironment(CORE_VARIABLE, AVX512_CORE);
    }

    /**
     * The configuration, and which core's code runs.
     *
     * @throws IllegalStateException if the forced core's code does not run
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
