package org.lemmata.sweep;

/**
 * Thrown if a trial stopped because its context requested the stop. The trial can be resumed from the files in its
 * directory.
 */
public final class InterruptedTrialException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InterruptedTrialException() {
        super("stopped; can be resumed");
    }
}
