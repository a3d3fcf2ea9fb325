package org.lemmata.cli;

import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The standard error that bin/lemmata set aside while the JVM starts, so that no announcement of the JVM stands in it.
 */
final class StandardError {

    private static final String PROPERTY = "lemmata.stderr";

    private StandardError() {}

    /**
     * Sends {@link System#err} to the file that the property names; without it, or if it cannot be opened, nothing
     * changes.
     */
    static void restore() {
        String path = System.getProperty(PROPERTY);
        if (path != null) {
            try {
                // To append: opening for writing would cut off a file that standard error was redirected to.
                System.setErr(new PrintStream(new FileOutputStream(path, true), true, StandardCharsets.UTF_8));
            } catch (FileNotFoundException e) {
                // A socket cannot be opened by name; the launcher's filter then passes everything on.
            }
        }
    }
}
