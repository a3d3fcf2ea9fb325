package org.lemmata.train;

import org.jspecify.annotations.Nullable;

/** A loss, a gradient or the parameters of a run are no longer finite. The message is one line that names the step. */
public final class DivergenceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long step;

    DivergenceException(long step, String problem, @Nullable DivergenceException cause) {
        super(problem, cause);
        this.step = step;
    }

    /** Throws if {@code value} is not finite. The message names the step and {@code what}. */
    static void requireFinite(long step, String what, double value) {
        if (!Double.isFinite(value)) {
            throw new DivergenceException(
                    step, "step " + step + ": expected a finite " + what + ", got " + value, null);
        }
    }

    public long step() {
        return step;
    }
}
