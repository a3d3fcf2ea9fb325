package org.lemmata.sweep;

import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/**
 * What a cell is run with; none of it changes a bit of the result.
 *
 * @param directory of this cell alone, there already: what a trial keeps in it outlives the process
 * @param threads to compute on
 * @param keep what is to stay in the directory
 * @param stop whether the run is to stop as soon as it can go on from there
 * @param steps hears what the run was after some steps
 */
public record TrialContext(Path directory, int threads, Keep keep, BooleanSupplier stop, StepListener steps) {

    /** One whose steps nobody hears of. */
    public TrialContext(Path directory, int threads, Keep keep, BooleanSupplier stop) {
        this(directory, threads, keep, stop, (step, loss, weights) -> {});
    }

    /** Hears what a run was after some of its steps, in their order, those from before an interruption included. */
    @FunctionalInterface
    public interface StepListener {

        /**
         * A step was taken.
         *
         * @param loss of the step
         * @param weights a hash over the bits of all weights after it
         */
        void taken(long step, double loss, String weights);

        /** The run goes on from where it was interrupted, to which it took so long. */
        default void resumed(double secondsBefore) {}
    }
}
