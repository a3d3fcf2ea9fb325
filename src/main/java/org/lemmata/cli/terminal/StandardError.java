package org.lemmata.cli.terminal;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

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
    public static void restore() {
        Integer descriptor = Integer.getInteger(PROPERTY);
        if (descriptor == null) {
            return;
        }
        try {
            // On failure, the filter stays active; it hides only the announcement.
            int _ = (int)
                    function("dup2", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT).invokeExact((int) descriptor, 2);
        } catch (Throwable e) {
            throw new AssertionError("dup2 throws nothing", e);
        }
    }

    /** Whether standard error is a terminal according to isatty(2). False if the property is not set. */
    public static boolean isTerminal() {
        try {
            return Integer.getInteger(PROPERTY) != null
                    && (int) function("isatty", ValueLayout.JAVA_INT).invokeExact(2) == 1;
        } catch (Throwable e) {
            throw new AssertionError("isatty throws nothing", e);
        }
    }

    /** A function of C that returns an integer. */
    @SuppressWarnings("restricted") // bin/lemmata grants native access
    private static MethodHandle function(String name, MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
    }
}
