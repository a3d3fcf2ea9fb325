package org.lemmata.kernel;

import java.util.Objects;
import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.ScalarAttention;
import org.lemmata.kernel.attention.VectorAttention;
import org.lemmata.kernel.elementary.Species;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matmul.ScalarMatMul;
import org.lemmata.kernel.matmul.VectorMatMul;
import org.lemmata.kernel.softmax.ScalarSoftmax;
import org.lemmata.kernel.softmax.Softmax;
import org.lemmata.kernel.softmax.VectorSoftmax;

/**
 * The implementation chosen for each operation.
 *
 * @param simd whether implementations on SIMD lanes are among them
 */
public record Kernels(MatMul matMul, Softmax softmax, Attention attention, boolean simd) {

    private static final String VECTOR_MODULE = "jdk.incubator.vector";

    /** The reference implementations. */
    public static Kernels scalar() {
        return new Kernels(new ScalarMatMul(), new ScalarSoftmax(), new ScalarAttention(), false);
    }

    /**
     * The fastest implementations that this JVM can run: on SIMD lanes if it was started with the Vector API, else
     * scalar.
     *
     * @throws IllegalArgumentException if the system property {@link Species#PROPERTY} names no lane width
     */
    public static Kernels best() {
        return ModuleLayer.boot().findModule(VECTOR_MODULE).isPresent() ? vector() : scalar();
    }

    /** Apart from {@link #best}, so that a JVM without the Vector API never meets a class that needs it. */
    private static Kernels vector() {
        try {
            Objects.requireNonNull(Species.FLOAT);
        } catch (ExceptionInInitializerError error) {
            // A bad property is the user's input, whatever class it stopped.
            if (error.getCause() instanceof IllegalArgumentException refusal) {
                throw refusal;
            }
            throw error;
        }
        return new Kernels(new VectorMatMul(), new VectorSoftmax(), new VectorAttention(), true);
    }

    /** One line for people: the lanes used, or how to get some. */
    public String description() {
        return simd
                ? "SIMD, " + Species.FLOAT.vectorBitSize() + "-bit species (" + Species.FLOAT.length() + " lanes)"
                : "scalar: start the JVM with --add-modules " + VECTOR_MODULE;
    }
}
