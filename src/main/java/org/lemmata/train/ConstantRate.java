package org.lemmata.train;

/** f(t) = 1. */
public record ConstantRate() implements Schedule {

    @Override
    public double factor(long step) {
        return 1;
    }
}
