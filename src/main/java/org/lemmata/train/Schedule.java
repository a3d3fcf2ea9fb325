package org.lemmata.train;

import org.lemmata.argument.Refuse;

/**
 * f(t), the factor of the learning rate at step t = 1, 2, ...: eta_t = eta f(t). A schedule has no state and gives the
 * same bits on every machine.
 */
public sealed interface Schedule {

    /**
     * f(t).
     *
     * @param step t, at least 1
     */
    double factor(long step);

    private static void requireFraction(String name, double value) {
        Refuse.when(!(value >= 0 && value <= 1), name, "a number from 0 to 1", value);
    }

    /** f(t) = 1. */
    record ConstantRate() implements Schedule {

        @Override
        public double factor(long step) {
            return 1;
        }
    }

    /**
     * f(t) = t / (w + 1) for t = 1, ..., w; then f(t) = g(t - w). The rate increases linearly for w steps. The other
     * schedules g have g(1) = 1, so step w + 1 has the full rate.
     *
     * @param steps w, at least 0
     * @param then g, whose steps are counted from the end of the warm-up
     */
    record LinearWarmUp(long steps, Schedule then) implements Schedule {

        public LinearWarmUp {
            Refuse.below("steps", steps, 0);
        }

        @Override
        public double factor(long step) {
            return step <= steps ? step / (steps + 1.0) : then.factor(step - steps);
        }
    }

    /**
     * f(t) = floor + (1 - floor) (1 + cos(pi (t - 1) / T)) / 2 for t = 1, ..., T, and floor from t = T + 1 on.
     *
     * <p>Source: Loshchilov and Hutter (2017), SGDR: stochastic gradient descent with warm restarts, equation 5,
     * without restarts.
     *
     * @param steps T, at least 1; if w of n steps are warm-up, T = n - w
     * @param floor the rate after T steps divided by the first rate, in [0, 1]
     */
    record CosineDecay(long steps, double floor) implements Schedule {

        public CosineDecay {
            Refuse.below("steps", steps, 1);
            requireFraction("floor", floor);
        }

        @Override
        public double factor(long step) {
            if (step > steps) {
                return floor;
            }
            return floor + (1 - floor) * 0.5 * (1 + StrictMath.cos(Math.PI * (step - 1) / steps));
        }
    }

    /**
     * f(t) = ratio^floor((t - 1) / every): the rate decreases after each {@code every} steps.
     *
     * @param every number of steps with the same rate, at least 1
     * @param ratio each rate divided by the previous rate, in [0, 1]
     */
    record StepDecay(long every, double ratio) implements Schedule {

        public StepDecay {
            Refuse.below("every", every, 1);
            requireFraction("ratio", ratio);
        }

        @Override
        public double factor(long step) {
            long decays = (step - 1) / every;
            return StrictMath.pow(ratio, (double) decays);
        }
    }
}
