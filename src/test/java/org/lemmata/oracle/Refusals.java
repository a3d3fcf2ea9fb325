package org.lemmata.oracle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Checks the exception for an illegal argument: its type, and a message of one line. */
public final class Refusals {

    private Refusals() {}

    public static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }
}
