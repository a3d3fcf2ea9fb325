package org.lemmata.config;

import org.lemmata.argument.Refuse;

/**
 * The place of a value.
 *
 * @param source the file, or the command line
 * @param line the line in the source, from 1; 0 for the whole source
 */
public record Place(String source, int line) {

    public static final Place COMMAND_LINE = new Place("command line", 0);

    /** An exception whose message already names the place, so that callers do not add one. */
    static final class Refusal extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private Refusal(String message) {
            super(message);
        }
    }

    /** An exception with a one-line message: this place, the key and the problem. */
    public IllegalArgumentException refuse(String path, String problem) {
        return new Refusal(this + ": " + (path.isEmpty() ? "" : Refuse.shown(path) + ": ")
                + problem.strip().replaceAll("\\s+", " "));
    }

    @Override
    public String toString() {
        return line == 0 ? source : source + ": line " + line;
    }
}
