package org.lemmata.cli.terminal;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/**
 * Restores the standard error that bin/lemmata replaces while the JVM starts, so that the JVM's announcement is hidden.
 *
 * <p>Until {@code main}, the launcher filters standard error; then descriptor 2 is the caller's again. The descriptor
 * is duplicated: a file opened by name would have another position, and overwrite the output of other programs.
 */
public final class StandardError {

    /** Set by bin/lemmata to the descriptor of the caller's standard error. */
    private static final String PROPERTY = "lemmata.stderr";

    private StandardError() {}

    /** Calls dup2(descriptor, 2). Does nothing if the property is not set. */
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
            // On failure, the filter stays active; it hides only the announcement.
            int _ = (int) dup2.invokeExact((int) descriptor, 2);
        } catch (Throwable e) {
            throw new AssertionError("dup2 throws nothing", e);
        }
    }

    /** Whether standard error is a terminal according to isatty(2). False if the property is not set. */
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
