package org.lemmata.kernel.matmul.peer;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.function.Supplier;
import org.lemmata.benchmark.peer.Contender;
import org.lemmata.benchmark.peer.Mkl;
import org.lemmata.benchmark.peer.NativeFunction;
import org.lemmata.benchmark.peer.OpenBlas;

/**
 * The product by {@code cblas_sgemm} of the loaded library, called without a wrapper.
 *
 * <p>The matrices are outside the heap and aligned to a cache line. So calls do not copy them, and the library has its
 * preferred alignment.
 */
final class BlasProduct implements Contender {

    private static final int ROW_MAJOR = 101;
    private static final int NO_TRANSPOSE = 111;
    private static final long ALIGNMENT = 64;

    /** {@code void cblas_sgemm(layout, transA, transB, m, n, k, alpha, *a, lda, *b, ldb, beta, *c, ldc)}. */
    private static final FunctionDescriptor DESCRIPTOR = FunctionDescriptor.ofVoid(
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_FLOAT,
            ADDRESS,
            JAVA_INT,
            ADDRESS,
            JAVA_INT,
            JAVA_FLOAT,
            ADDRESS,
            JAVA_INT);

    /** Holds the function in a separate class, because the function can be found only after a library is loaded. */
    private static final class Sgemm {
        private static final MethodHandle HANDLE = NativeFunction.of("cblas_sgemm", DESCRIPTOR);
    }

    private final Supplier<String> library;
    private final int m;
    private final int n;
    private final int k;
    private final MemorySegment a;
    private final MemorySegment b;
    private final MemorySegment c;

    private BlasProduct(Supplier<String> library, float[] a, float[] b, int m, int n, int k) {
        this.library = library;
        this.m = m;
        this.n = n;
        this.k = k;
        this.a = outsideHeap(a.length).copyFrom(MemorySegment.ofArray(a));
        this.b = outsideHeap(b.length).copyFrom(MemorySegment.ofArray(b));
        this.c = outsideHeap(m * n);
    }

    static BlasProduct openBlas(boolean forced, int threads, float[] a, float[] b, int m, int n, int k) {
        if (forced) {
            OpenBlas.forceAvx512();
        }
        OpenBlas.load();
        OpenBlas.setThreads(threads);
        return new BlasProduct(() -> OpenBlas.description(forced), a, b, m, n, k);
    }

    static BlasProduct mkl(int threads, float[] a, float[] b, int m, int n, int k) {
        Mkl.load();
        Mkl.setThreads(threads);
        return new BlasProduct(Mkl::description, a, b, m, n, k);
    }

    private static MemorySegment outsideHeap(int length) {
        return Arena.ofAuto().allocate(length * (long) Float.BYTES, ALIGNMENT);
    }

    @Override
    public void run() {
        try {
            Sgemm.HANDLE.invokeExact(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, m, n, k, 1f, a, k, b, n, 0f, c, n);
        } catch (Throwable failure) {
            throw NativeFunction.failed("cblas_sgemm", failure);
        }
    }

    @Override
    public List<float[]> results() {
        run();
        return List.of(c.toArray(JAVA_FLOAT));
    }

    @Override
    public String description() {
        return library.get();
    }
}
