package org.lemmata.train;

import org.jspecify.annotations.Nullable;

/** The numbers of a run are no longer finite; the message is one line that names the step. */
public final class DivergenceException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final long step;

    DivergenceException(long step, String problem, @Nullable DivergenceException cause) {
        super(problem, cause);
        this.step = step;
    }

    /** Throws with the message {@code step: expected a finite what, got value}. */
    static void requireFinite(long step, String what, double value) {
        if (!Double.isFinite(value)) {
            throw new DivergenceException(
                    step, "step " + step + ": expected a finite " + what + ", got " + value, null);
        }
    }

    /** The step whose numbers are not finite. */
    public long step() {
        return step;
    }
}
