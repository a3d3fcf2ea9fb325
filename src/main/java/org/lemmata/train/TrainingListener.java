package org.lemmata.train;

/** Notified of the events of a run, on the run's thread. */
public interface TrainingListener {

    /** A listener that does nothing. */
    TrainingListener SILENT = new TrainingListener() {};

    /** A step was taken. */
    default void stepped(Progress progress) {}

    /** The run is resumed from a checkpoint; before, it took {@code secondsBefore}. */
    default void resumed(double secondsBefore) {}

    /**
     * The state of a run with files after 1, 2, 4, 8, ... steps; a resumed run also reports earlier steps.
     *
     * @param loss loss of the step
     * @param weights 16 hexadecimal digits of a hash of the bits of all parameters after the step
     */
    default void hashed(long step, double loss, String weights) {}

    /** A line of the curve was written. */
    default void measured(CurvePoint point) {}

    /** A checkpoint was written after {@code step} steps. */
    default void saved(long step) {}

    /**
     * Whether the run should stop, called after each step. The run then writes a checkpoint and ends as
     * {@link TrainingResult.End#INTERRUPTED}; it can be resumed.
     */
    default boolean wantsToStop() {
        return false;
    }
}
