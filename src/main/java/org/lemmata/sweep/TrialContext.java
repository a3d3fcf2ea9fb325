package org.lemmata.sweep;

import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/**
 * The resources of a run, which do not affect any bit of the result.
 *
 * @param directory an existing directory that belongs to this cell only; its files outlive the process
 * @param keep which files stay in the directory
 * @param stop whether the run should stop at the next point from which it can be resumed
 * @param steps notified of the state after some steps
 */
public record TrialContext(Path directory, int threads, Keep keep, BooleanSupplier stop, StepListener steps) {

    /** A context without a listener. */
    public TrialContext(Path directory, int threads, Keep keep, BooleanSupplier stop) {
        this(directory, threads, keep, stop, (step, loss, weights) -> {});
    }

    /** Notified of the state of a run after some of its steps, in order, including steps before an interruption. */
    @FunctionalInterface
    public interface StepListener {

        /**
         * A step was taken.
         *
         * @param loss the loss of the step
         * @param weights a hash of the bits of all weights after the step
         */
        void taken(long step, double loss, String weights);

        /** The run is resumed; it ran for {@code secondsBefore} before the interruption. */
        default void resumed(double secondsBefore) {}
    }
}
