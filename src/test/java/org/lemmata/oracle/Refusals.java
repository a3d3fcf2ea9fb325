package org.lemmata.oracle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.lemmata.file.MalformedFileException;

/** Checks the exception for an illegal argument or a malformed file: its type, and its whole message. */
public final class Refusals {

    private Refusals() {}

    public static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    public static void assertMalformed(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(MalformedFileException.class).hasMessage(message);
    }
}
