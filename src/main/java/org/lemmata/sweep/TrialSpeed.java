package org.lemmata.sweep;

/**
 * The speed of a cell on this machine.
 *
 * @param perSecond units of its trial's cost per second
 * @param startSeconds time before the first step, for data and initial values
 * @param spread the factor by which the speed may be lower or higher
 * @param share the share of a processor during the measurement; speeds are scaled to a whole processor
 */
public record TrialSpeed(double perSecond, double startSeconds, double spread, double share) {

    /** A speed that was measured without other work. */
    public TrialSpeed(double perSecond, double startSeconds, double spread) {
        this(perSecond, startSeconds, spread, 1);
    }
}
