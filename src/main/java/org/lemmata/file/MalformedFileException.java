package org.lemmata.file;

import java.io.IOException;
import java.nio.file.Path;

/** A file with unexpected content. The message is one line with the file, the place in it and the expected content. */
public final class MalformedFileException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * The message is {@code file: place: problem}.
     *
     * @param place the place in the file, such as "line 3, column 7" or "[2].verdict"; empty for the whole file
     * @param problem the expected and the actual content
     */
    public MalformedFileException(Path file, String place, String problem) {
        super(file + ": " + (place.isEmpty() ? "" : place + ": ")
                + problem.strip().replaceAll("\\s+", " "));
    }

    /** Throws if {@code wrong}, with the problem {@code expected ..., got ...}. */
    public static void when(boolean wrong, Path file, String place, String expected, Object got)
            throws MalformedFileException {
        if (wrong) {
            throw new MalformedFileException(file, place, "expected " + expected + ", got " + got);
        }
    }
}
