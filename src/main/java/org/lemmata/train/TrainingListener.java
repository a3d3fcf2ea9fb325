package org.lemmata.train;

/** Is told what a run does, on the run's own thread. */
public interface TrainingListener {

    /** A listener that does nothing. */
    TrainingListener SILENT = new TrainingListener() {};

    /** A step was taken. */
    default void stepped(Progress progress) {}

    /** The run goes on from a checkpoint, before which it took so long. */
    default void resumed(double secondsBefore) {}

    /**
     * What a run that leaves files was after 1, 2, 4, 8, ... steps; one that goes on tells those that it has taken
     * before, too.
     *
     * @param loss of that step
     * @param weights 16 hexadecimal digits of a hash over the bits of all parameters after it
     */
    default void hashed(long step, double loss, String weights) {}

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
