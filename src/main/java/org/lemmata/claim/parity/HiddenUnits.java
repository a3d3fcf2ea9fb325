package org.lemmata.claim.parity;

import java.util.random.RandomGenerator;

/**
 * f_theta(x) = 1 / sqrt(H) sum_h a_h tanh(<w_h, x> / sqrt(d) + b_h): a model whose gradient is bounded, to be trained
 * without intermediate supervision. The parameters lie as w_h, b_h, a_h of one h after the other.
 *
 * @param bits d
 * @param units H
 */
record HiddenUnits(int bits, int units) {

    /** How many parameters there are. */
    int size() {
        return units * (bits + 2);
    }

    double[] random(RandomGenerator random) {
        return random.doubles(size(), -1.5, 1.5).toArray();
    }

    /**
     * f_theta(x), and its gradient.
     *
     * @param x bit j is set where x_j = -1
     */
    double value(double[] theta, int x, double[] gradient) {
        double root = Math.sqrt(bits);
        double value = 0;
        for (int h = 0; h < units; h++) {
            int at = h * (bits + 2);
            double sum = 0;
            for (int j = 0; j < bits; j++) {
                sum += (x >> j & 1) == 0 ? theta[at + j] : -theta[at + j];
            }
            double active = StrictMath.tanh(sum / root + theta[at + bits]);
            double weight = theta[at + bits + 1] / Math.sqrt(units);
            double slope = weight * (1 - active * active);
            for (int j = 0; j < bits; j++) {
                gradient[at + j] = ((x >> j & 1) == 0 ? slope : -slope) / root;
            }
            gradient[at + bits] = slope;
            gradient[at + bits + 1] = active / Math.sqrt(units);
            value += weight * active;
        }
        return value;
    }
}
