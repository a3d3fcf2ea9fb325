package org.lemmata.train;

/**
 * f(t) = floor + (1 - floor) (1 + cos(pi (t - 1) / T)) / 2 for t = 1, ..., T, and floor from t = T + 1 on.
 *
 * <p>Source: Loshchilov and Hutter (2017), SGDR: stochastic gradient descent with warm restarts, equation 5, without
 * restarts.
 *
 * @param steps T, at least 1; behind a warm-up of w steps within n, that is n - w
 * @param floor in [0, 1]: the last rate over the first
 */
public record CosineDecay(long steps, double floor) implements Schedule {

    public CosineDecay {
        Schedule.requireSteps("steps", steps, 1);
        Schedule.requireFraction("floor", floor);
    }

    @Override
    public double factor(long step) {
        if (step > steps) {
            return floor;
        }
        return floor + (1 - floor) * 0.5 * (1 + StrictMath.cos(Math.PI * (step - 1) / steps));
    }
}
