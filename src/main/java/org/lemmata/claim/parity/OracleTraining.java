package org.lemmata.claim.parity;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.lemmata.model.parity.GradientOracle;

/**
 * Gradient descent on L_p = 1/2 ||p - f_theta||² for each target p of a class, with the adversarial oracle of theorem
 * 2's proof, with its two cases exchanged. Gradients are exact: they are sums over all x in {-1, 1}^d, weighted by the
 * frequency of x in the population or among n samples.
 *
 * <p>The gradient of L_p is the gradient of 1/2 ||f||² minus &lt;p, grad f&gt;. One Walsh-Hadamard transform of each
 * component of grad f therefore gives the gradients of all targets.
 *
 * @param weights the weight of each x; their sum is 1
 */
@SuppressWarnings("ArrayRecordComponent") // The array is never changed or compared.
record OracleTraining(ParityClass targets, HiddenUnits model, double[] weights) {

    private static final double RATE = 0.5;

    static double[] population(int bits) {
        double[] weights = new double[1 << bits];
        Arrays.fill(weights, 1.0 / weights.length);
        return weights;
    }

    static double[] samples(int bits, int n, RandomGenerator random) {
        double[] weights = new double[1 << bits];
        for (int i = 0; i < n; i++) {
            weights[random.nextInt(weights.length)] += 1.0 / n;
        }
        return weights;
    }

    /**
     * The gradients at one theta.
     *
     * @param own the gradient of 1/2 ||f||²
     * @param products &lt;p, grad f&gt; for each target
     * @param mean the mean of the gradients of all targets
     * @param square E ||grad f||²
     */
    @SuppressWarnings("ArrayRecordComponent") // The arrays are never changed or compared.
    record Place(double[] own, double[][] products, double[] mean, double square) {

        double[] gradient(int p) {
            double[] gradient = new double[own.length];
            Arrays.setAll(gradient, i -> own[i] - products[p][i]);
            return gradient;
        }

        double variance() {
            double variance = 0;
            for (int p = 0; p < products.length; p++) {
                variance += Math.pow(GradientOracle.distance(gradient(p), mean), 2) / products.length;
            }
            return variance;
        }
    }

    Place at(double[] theta) {
        int size = model.size();
        double[][] components = new double[size][weights.length];
        double[] own = new double[size];
        double[] gradient = new double[size];
        double square = 0;
        for (int x = 0; x < weights.length; x++) {
            double value = weights[x] == 0 ? 0 : model.value(theta, x, gradient);
            for (int i = 0; i < size; i++) {
                components[i][x] = weights[x] * gradient[i];
                own[i] += value * components[i][x];
                square += components[i][x] * gradient[i];
            }
        }
        double[][] products = new double[targets.count()][size];
        double[] mean = own.clone();
        for (int i = 0; i < size; i++) {
            ParityClass.transform(components[i]);
            for (int p = 0; p < products.length; p++) {
                products[p][i] = components[i][targets.mask(p)];
                mean[i] -= products[p][i] / products.length;
            }
        }
        return new Place(own, products, mean, square);
    }

    /**
     * The result of training.
     *
     * @param told the number of targets whose gradients the oracle revealed at any step
     * @param variances the variance of the gradients at each step, at the common theta of all targets that were not
     *     revealed
     * @param squares E ||grad f||² at each step
     * @param loss the mean over the targets of E (p - f)², over all x
     * @param wrong for each target, the proportion of x at which f has the wrong sign
     */
    @SuppressWarnings("ArrayRecordComponent") // The arrays are never changed or compared.
    record Result(int told, double[] variances, double[] squares, double loss, double[] wrong) {}

    Result train(double[] start, int steps, double epsilon) {
        boolean[] told = new boolean[targets.count()];
        double[] variances = new double[steps];
        double[] squares = new double[steps];
        double[] theta = start;
        for (int step = 0; step < steps; step++) {
            Place place = at(theta);
            variances[step] = place.variance();
            squares[step] = place.square();
            for (int p = 0; p < told.length; p++) {
                told[p] |= GradientOracle.distance(place.gradient(p), place.mean()) > epsilon;
            }
            theta = next(theta, place.mean());
        }
        double[] shared = outputs(theta);
        double[] wrong = new double[told.length];
        double loss = 0;
        int count = 0;
        for (int p = 0; p < told.length; p++) {
            count += told[p] ? 1 : 0;
            double[] outputs = told[p] ? outputs(trainTold(start, p, steps, epsilon)) : shared;
            for (int x = 0; x < outputs.length; x++) {
                int parity = ParityClass.parity(targets.mask(p), x);
                loss += (parity - outputs[x]) * (parity - outputs[x]) / outputs.length / told.length;
                wrong[p] += parity * outputs[x] > 0 ? 0 : 1.0 / outputs.length;
            }
        }
        return new Result(count, variances, squares, loss, wrong);
    }

    /**
     * Trains on one target that the oracle revealed: at some step, its gradient was farther than {@code epsilon} from
     * the mean.
     */
    private double[] trainTold(double[] start, int p, int steps, double epsilon) {
        double[] theta = start;
        for (int step = 0; step < steps; step++) {
            Place place = at(theta);
            theta = next(
                    theta, GradientOracle.adversarial(epsilon, place.mean()).answer(place.gradient(p)));
        }
        return theta;
    }

    private double[] outputs(double[] theta) {
        double[] gradient = new double[model.size()];
        double[] outputs = new double[weights.length];
        Arrays.setAll(outputs, x -> model.value(theta, x, gradient));
        return outputs;
    }

    private static double[] next(double[] theta, double[] gradient) {
        double[] next = new double[theta.length];
        Arrays.setAll(next, i -> theta[i] - RATE * gradient[i]);
        return next;
    }

    /**
     * f_theta(x) = 1 / sqrt(H) sum_h a_h tanh(w_h · x / sqrt(d) + b_h): a model with a bounded gradient, trained
     * without intermediate supervision. Parameters are stored in the order w_1, b_1, a_1, w_2, b_2, a_2, ...
     *
     * @param bits d
     * @param units H
     */
    record HiddenUnits(int bits, int units) {

        int size() {
            return units * (bits + 2);
        }

        double[] random(RandomGenerator random) {
            return random.doubles(size(), -1.5, 1.5).toArray();
        }

        /**
         * Returns f_theta(x) and writes its gradient to {@code gradient}.
         *
         * @param x the input; bit j is set if x_j = -1
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
}
