package org.lemmata.cli.terminal;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/**
 * The standard error that bin/lemmata set aside while the JVM starts, so that no announcement of the JVM stands in it.
 *
 * <p>The launcher's filter serves until {@code main}; from there on, descriptor 2 is the caller's again. Opening the
 * descriptor's file by name instead would start a second position in it, and overwrite what others write there.
 */
public final class StandardError {

    /** Set by bin/lemmata to the descriptor that holds the caller's standard error. */
    private static final String PROPERTY = "lemmata.stderr";

    private StandardError() {}

    /** dup2(descriptor, 2); does nothing if the property is not set. */
    @SuppressWarnings("restricted") // bin/lemmata grants native access
    public static void restore() {
        Integer descriptor = Integer.getInteger(PROPERTY);
        if (descriptor == null) {
            return;
        }
        Linker linker = Linker.nativeLinker();
        var dup2 = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("dup2"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try {
            // A failure leaves the filter in place, which passes on everything but the announcement.
            int _ = (int) dup2.invokeExact((int) descriptor, 2);
        } catch (Throwable e) {
            throw new AssertionError("dup2 throws nothing", e);
        }
    }

    /** Whether someone watches: isatty(2); false if the property is not set. */
    @SuppressWarnings("restricted") // bin/lemmata grants native access
    public static boolean isTerminal() {
        if (Integer.getInteger(PROPERTY) == null) {
            return false;
        }
        Linker linker = Linker.nativeLinker();
        var isatty = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("isatty"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try {
            return (int) isatty.invokeExact(2) == 1;
        } catch (Throwable e) {
            throw new AssertionError("isatty throws nothing", e);
        }
    }
}
