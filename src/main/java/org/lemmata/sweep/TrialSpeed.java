package org.lemmata.sweep;

/**
 * How fast a cell runs on this machine.
 *
 * @param perSecond units of its trial's cost that are done in a second
 * @param startSeconds what passes before the first of them: data, initial values
 */
public record TrialSpeed(double perSecond, double startSeconds) {}
