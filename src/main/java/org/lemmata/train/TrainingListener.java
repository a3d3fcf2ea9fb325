package org.lemmata.train;

/** Receives the events of a run, on the thread of the run. */
public interface TrainingListener {

    TrainingListener SILENT = new TrainingListener() {};

    default void stepped(Progress progress) {}

    /** The run is resumed from a checkpoint. It ran for {@code secondsBefore} before the interruption. */
    default void resumed(double secondsBefore) {}

    /**
     * A run with files took step 1, 2, 4, 8, ... A resumed run also reports such steps before the interruption.
     *
     * @param loss loss of the step
     * @param weights 16 hexadecimal digits of a hash of the bits of all parameters after the step
     */
    default void hashed(long step, double loss, String weights) {}

    /** A point of the curve was measured and, in a run with files, written. */
    default void measured(CurvePoint point) {}

    /** A checkpoint was written after {@code step} steps. */
    default void saved(long step) {}

    /**
     * Whether the run should stop; called after each step except the last. A run that stops ends as
     * {@link TrainingResult.End#INTERRUPTED}. If it has files, it writes a checkpoint and can be resumed.
     */
    default boolean wantsToStop() {
        return false;
    }
}
