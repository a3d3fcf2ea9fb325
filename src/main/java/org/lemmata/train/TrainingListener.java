package org.lemmata.train;

/** Is told what a run does, on the run's own thread. */
public interface TrainingListener {

    /** A listener that does nothing. */
    TrainingListener SILENT = new TrainingListener() {};

    /** A step was taken. */
    default void stepped(Progress progress) {}

    /** A line of the curve was written. */
    default void measured(CurvePoint point) {}

    /** A checkpoint was written after {@code step} steps. */
    default void saved(long step) {}

    /**
     * Whether the run is to stop, asked after each step: it then writes a checkpoint and ends as
     * {@link TrainingResult.End#INTERRUPTED}, to be resumed.
     */
    default boolean wantsToStop() {
        return false;
    }
}
