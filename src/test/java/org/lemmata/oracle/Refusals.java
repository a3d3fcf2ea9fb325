package org.lemmata.oracle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What every check of an argument promises: one exception, with one line that says what was expected. */
public final class Refusals {

    private Refusals() {}

    public static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }
}
