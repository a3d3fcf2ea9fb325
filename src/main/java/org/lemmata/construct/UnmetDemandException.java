package org.lemmata.construct;

/** Thrown if a number format does not suffice for a construction. The message names the unmet requirement. */
public final class UnmetDemandException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    public UnmetDemandException(String message) {
        super(message);
    }
}
