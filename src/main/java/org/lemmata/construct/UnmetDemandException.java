package org.lemmata.construct;

/** A number format cannot hold a construction; the message says what it takes. */
public final class UnmetDemandException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    public UnmetDemandException(String message) {
        super(message);
    }
}
