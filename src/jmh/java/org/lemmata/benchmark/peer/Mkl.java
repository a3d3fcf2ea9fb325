package org.lemmata.benchmark.peer;

import org.bytedeco.javacpp.Loader;
import org.bytedeco.mkl.global.mkl_rt;

/**
 * Intel's MKL with default settings. There is no supported way to force its AVX-512 code on processors of other
 * vendors. On AMD processors a profiler shows {@code mkl_blas_def_sgemm_kernel_0_zen}, which is AVX2 code.
 */
public final class Mkl {

    private Mkl() {}

    /**
     * Loads MKL. Must not be called in a JVM with OpenBLAS, because calls of {@code cblas_sgemm} could then use either
     * library.
     */
    public static void load() {
        Loader.load(mkl_rt.class);
    }

    /** Sets exactly this number of threads. By default, MKL may use fewer. */
    public static void setThreads(int threads) {
        mkl_rt.MKL_Set_Dynamic(0);
        mkl_rt.MKL_Set_Num_Threads(threads);
    }

    /**
     * The version and the detected processor. "Intel(R) Architecture processors" means a processor of another vendor.
     */
    public static String description() {
        try (mkl_rt.MKLVersion version = new mkl_rt.MKLVersion()) {
            mkl_rt.MKL_Get_Version(version);
            return "MKL " + version.MajorVersion() + "." + version.UpdateVersion() + ", processor: "
                    + version.Processor().getString();
        }
    }
}
