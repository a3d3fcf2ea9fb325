package org.lemmata.sweep;

/** A trial stopped because its context wanted it to; it can go on from what it left in its directory. */
public final class InterruptedTrialException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InterruptedTrialException() {
        super("stopped, to go on later");
    }
}
