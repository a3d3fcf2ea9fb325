package org.lemmata.benchmark.peer;

import org.bytedeco.javacpp.Loader;
import org.bytedeco.mkl.global.mkl_rt;

/**
 * Intel's MKL, as it comes: it has no supported way to force its AVX-512 code on processors of others. On AMD's a
 * profiler finds it in {@code mkl_blas_def_sgemm_kernel_0_zen}, which is AVX2 code.
 */
public final class Mkl {

    private Mkl() {}

    /** Loads it; in a JVM that has OpenBLAS, {@code cblas_sgemm} could be either's. */
    public static void load() {
        Loader.load(mkl_rt.class);
    }

    /** Exactly so many: MKL would otherwise take fewer where it sees fit. */
    public static void setThreads(int threads) {
        mkl_rt.MKL_Set_Dynamic(0);
        mkl_rt.MKL_Set_Num_Threads(threads);
    }

    /** Its version, and what it takes the processor for: "Intel(R) Architecture processors" are those of others. */
    public static String description() {
        try (mkl_rt.MKLVersion version = new mkl_rt.MKLVersion()) {
            mkl_rt.MKL_Get_Version(version);
            return "MKL " + version.MajorVersion() + "." + version.UpdateVersion() + ", processor: "
                    + version.Processor().getString();
        }
    }
}
