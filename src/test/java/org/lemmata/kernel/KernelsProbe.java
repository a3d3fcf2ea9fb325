package org.lemmata.kernel;

import java.time.Duration;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matrix.Matrix;

/**
 * The program of a child JVM: multiplies and takes a softmax with the best kernels, and prints what they are; with an
 * argument also which of all kernels are wrong.
 */
final class KernelsProbe {

    private KernelsProbe() {}

    public static void main(String[] args) {
        try {
            Kernels kernels = Kernels.best();
            float[] c = {0, 0};
            kernels.matMul()
                    .multiply(
                            MatMul.Form.NN,
                            false,
                            Matrix.of(c, 1, 2),
                            Matrix.of(new float[] {2}, 1, 1),
                            Matrix.of(new float[] {3, 3}, 1, 2));
            System.out.println("product " + c[0]);
            kernels.softmax().forwardInto(Matrix.of(c, 1, 2), Matrix.of(c, 1, 2));
            System.out.println("softmax " + c[0]);
            System.out.println(kernels.description());
            if (args.length > 0) {
                System.out.println("wrong: "
                        + SelfCheck.run(SelfCheckProbes.all(), Kernels.scalar(), kernels, Duration.ZERO).stream()
                                .filter(result -> result.verdict() == SelfCheck.Verdict.WRONG)
                                .toList());
            }
        } catch (IllegalArgumentException refusal) {
            System.out.println("refused: " + refusal.getMessage());
        }
    }
}
