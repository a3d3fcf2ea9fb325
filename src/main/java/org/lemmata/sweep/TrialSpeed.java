package org.lemmata.sweep;

/**
 * How fast a cell runs on this machine.
 *
 * @param perSecond units of its trial's cost that are done in a second
 * @param startSeconds what passes before the first of them: data, initial values
 * @param spread the factor by which the speed may be lower or higher
 */
public record TrialSpeed(double perSecond, double startSeconds, double spread) {}
