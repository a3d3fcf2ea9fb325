package org.lemmata.kernel;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.lemmata.kernel.activation.Activation;
import org.lemmata.kernel.matmul.MatMul;
import org.lemmata.kernel.matrix.Matrix;

/**
 * The program of a child JVM: runs a product and a softmax with the best kernels, and prints their description. With an
 * argument, it also prints the wrong kernels and hashes of all activations.
 */
final class KernelsProbe {

    private KernelsProbe() {}

    /** A hash of the bits of each activation and of its gradient. */
    static String activations(Kernels kernels) {
        var text = new StringBuilder("activations");
        for (Activation.Kind kind : Activation.Kind.values()) {
            Random random = new Random(1);
            float[] x = new float[1027];
            for (int i = 0; i < x.length; i++) {
                x[i] = (float) random.nextGaussian();
            }
            Matrix ofX = Matrix.of(x, 1, x.length);
            Matrix y = Matrix.of(new float[x.length], 1, x.length);
            text.append(' ').append(kind);
            kernels.activation().forwardInto(kind, y, ofX);
            text.append(' ').append(Arrays.hashCode(y.array()));
            kernels.activation().backwardInto(kind, y, ofX, ofX);
            text.append(' ').append(Arrays.hashCode(y.array()));
        }
        return text.toString();
    }

    public static void main(String[] args) {
        try {
            Kernels.best();
        } catch (IllegalArgumentException refusal) {
            System.out.println("refused: " + refusal.getMessage());
        }
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
                                .filter(result -> result.verdict() == SelfCheck.Condition.WRONG)
                                .toList());
                System.out.println(activations(kernels));
            }
        } catch (IllegalArgumentException refusal) {
            System.out.println("refused: " + refusal.getMessage());
        }
    }
}
