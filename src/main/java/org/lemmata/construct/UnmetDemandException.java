package org.lemmata.construct;

/** Thrown if a number format is too narrow for a construction. The message gives the required bits. */
public final class UnmetDemandException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    public UnmetDemandException(String message) {
        super(message);
    }
}
