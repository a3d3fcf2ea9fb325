package org.lemmata.sweep;

/** A trial stopped because its context requested it; it can be resumed from the files in its directory. */
public final class InterruptedTrialException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InterruptedTrialException() {
        super("stopped; can be resumed");
    }
}
