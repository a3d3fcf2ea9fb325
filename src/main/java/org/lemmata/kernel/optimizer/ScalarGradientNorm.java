package org.lemmata.kernel.optimizer;

/** The scalar reference: adds one element at a time. */
public final class ScalarGradientNorm implements GradientNorm {

    @Override
    public double squaredNorm(double before, float[] gradients, int from, int to) {
        GradientNorm.check(gradients, from, to);
        double total = before;
        int length = 0;
        for (int start = from; start < to; start += length) {
            length = Math.min(BLOCK, to - start);
            double[] sums = new double[SUMS];
            for (int i = 0; i < length; i++) {
                double g = gradients[start + i];
                sums[i % SUMS] += g * g;
            }
            double sum = 0;
            for (double partial : sums) {
                sum += partial;
            }
            total += sum;
        }
        return total;
    }
}
