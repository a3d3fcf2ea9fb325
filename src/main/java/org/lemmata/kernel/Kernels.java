package org.lemmata.kernel;

import org.lemmata.kernel.attention.Attention;
import org.lemmata.kernel.attention.ScalarAttention;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matmul.ScalarMatMul;
import org.lemmata.kernel.softmax.ScalarSoftmax;
import org.lemmata.kernel.softmax.Softmax;

/** The implementation chosen for each operation. */
public record Kernels(MatMul matMul, Softmax softmax, Attention attention) {

    /** The reference implementations. */
    public static Kernels scalar() {
        return new Kernels(new ScalarMatMul(), new ScalarSoftmax(), new ScalarAttention());
    }

    /** The fastest implementations that this JVM can run. */
    public static Kernels best() {
        return scalar();
    }
}
