package org.lemmata.sweep;

/**
 * The speed of a cell on this machine.
 *
 * @param perSecond the cost computed per second, in the trial's unit
 * @param startSeconds the time before the first step, when data and initial values are created
 * @param spread the factor by which the speed may be lower or higher
 * @param share the share of a core during the measurement, by which speeds are scaled to a whole core; 1 if unknown
 */
public record TrialSpeed(double perSecond, double startSeconds, double spread, double share) {

    /** A speed that was measured while no other work ran. */
    public TrialSpeed(double perSecond, double startSeconds, double spread) {
        this(perSecond, startSeconds, spread, 1);
    }
}
