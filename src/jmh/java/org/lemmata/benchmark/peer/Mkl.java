package org.lemmata.benchmark.peer;

import org.bytedeco.javacpp.Loader;
import org.bytedeco.mkl.global.mkl_rt;

/**
 * Intel's MKL with default settings: there is no supported way to force its AVX-512 code on other vendors' processors.
 * On AMD processors a profiler shows {@code mkl_blas_def_sgemm_kernel_0_zen}, which is AVX2 code.
 */
public final class Mkl {

    private Mkl() {}

    /** Loads MKL. Do not call it in a JVM with OpenBLAS: {@code cblas_sgemm} could then be either library's. */
    public static void load() {
        Loader.load(mkl_rt.class);
    }

    /** Sets exactly this number of threads; by default MKL may use fewer. */
    public static void setThreads(int threads) {
        mkl_rt.MKL_Set_Dynamic(0);
        mkl_rt.MKL_Set_Num_Threads(threads);
    }

    /** The version, and the detected processor; "Intel(R) Architecture processors" means another vendor's processor. */
    public static String description() {
        try (mkl_rt.MKLVersion version = new mkl_rt.MKLVersion()) {
            mkl_rt.MKL_Get_Version(version);
            return "MKL " + version.MajorVersion() + "." + version.UpdateVersion() + ", processor: "
                    + version.Processor().getString();
        }
    }
}
