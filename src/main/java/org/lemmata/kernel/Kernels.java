package org.lemmata.kernel;

import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.ScalarAttention;
import org.lemmata.kernel.attention.VectorAttention;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matmul.ScalarMatMul;
import org.lemmata.kernel.matmul.VectorMatMul;
import org.lemmata.kernel.softmax.ScalarSoftmax;
import org.lemmata.kernel.softmax.Softmax;

/** The implementation chosen for each operation. */
public record Kernels(MatMul matMul, Softmax softmax, Attention attention) {

    private static final String MODULE = "jdk.incubator.vector";

    /** The reference implementations. */
    public static Kernels scalar() {
        return new Kernels(new ScalarMatMul(), new ScalarSoftmax(), new ScalarAttention());
    }

    /** The fastest implementations that this JVM can run; without the Vector API's module no class of it is touched. */
    public static Kernels best() {
        return ModuleLayer.boot().findModule(MODULE).isPresent() ? Vector.kernels() : scalar();
    }

    /** Whether every operation runs on SIMD lanes. */
    public boolean simd() {
        return matMul instanceof VectorMatMul;
    }

    /** What computes, in a line. */
    public String description() {
        return simd() ? Vector.description() : "scalar: start the JVM with --add-modules " + MODULE;
    }

    /** A class of its own, since loading it loads the Vector API. */
    private static final class Vector {

        static Kernels kernels() {
            return new Kernels(new VectorMatMul(), new ScalarSoftmax(), new VectorAttention());
        }

        static String description() {
            return "SIMD, " + Species.FLOAT.vectorBitSize() + " bits (" + Species.FLOAT.length() + " lanes of binary32)";
        }
    }
}
