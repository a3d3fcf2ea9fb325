package org.lemmata.oracle;

import java.util.Arrays;

/** -log softmax(z)_t of one row in binary64, and its gradient. */
public final class ExactCrossEntropy {

    private ExactCrossEntropy() {}

    /** log(1 + sum_(j != t) exp(z_j - z_t)), in a form that does not overflow. */
    public static double loss(double[] z, int target) {
        double maximum = 0;
        for (double element : z) {
            maximum = Math.max(maximum, element - z[target]);
        }
        double others = 0;
        for (int j = 0; j < z.length; j++) {
            others += j == target ? 0 : Math.exp(z[j] - z[target] - maximum);
        }
        return maximum == 0 ? Math.log1p(others) : maximum + Math.log(others + Math.exp(-maximum));
    }

    /** softmax(z) - onehot(t); the target's element is computed as minus the sum of the others. */
    public static double[] gradient(double[] z, int target) {
        double[] dz = ExactSoftmax.softmax(z);
        dz[target] = 0;
        dz[target] = -Arrays.stream(dz).sum();
        return dz;
    }
}
