package org.lemmata.file;

import java.io.IOException;
import java.nio.file.Path;

/** A file that does not hold what it should; the message is one line: which file, where in it, what was expected. */
public final class MalformedFileException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * The message is {@code file: place: problem}.
     *
     * @param place where in the file, in the reader's own terms: "line 3, column 7", "[2].verdict"; empty for the whole
     * @param problem what was expected and what came
     */
    public MalformedFileException(Path file, String place, String problem) {
        super(file + ": " + (place.isEmpty() ? "" : place + ": ")
                + problem.strip().replaceAll("\\s+", " "));
    }
}
