package org.lemmata.train;

/**
 * f(t) = t / (w + 1) for t = 1, ..., w; then f(t) = g(t - w), which begins at g(1) = 1 for every g here: w steps on the
 * line from 0 to the full rate, which step w + 1 has.
 *
 * @param steps w, at least 0
 * @param then g, whose steps count from the end of the warm-up
 */
public record LinearWarmUp(long steps, Schedule then) implements Schedule {

    public LinearWarmUp {
        Schedule.requireSteps("steps", steps, 0);
    }

    @Override
    public double factor(long step) {
        return step <= steps ? step / (steps + 1.0) : then.factor(step - steps);
    }
}
