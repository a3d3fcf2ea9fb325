package org.lemmata.sweep;

/**
 * How fast a cell runs on this machine.
 *
 * @param perSecond units of its trial's cost that are done in a second
 * @param startSeconds what passes before the first of them: data, initial values
 * @param spread the factor by which the speed may be lower or higher
 * @param share of a processor that it had while it was measured; the seconds are those of a whole one
 */
public record TrialSpeed(double perSecond, double startSeconds, double spread, double share) {

    /** Measured beside no other work. */
    public TrialSpeed(double perSecond, double startSeconds, double spread) {
        this(perSecond, startSeconds, spread, 1);
    }
}
