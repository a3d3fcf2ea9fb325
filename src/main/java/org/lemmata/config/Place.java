package org.lemmata.config;

import org.lemmata.argument.Refuse;

/**
 * Where a value was written.
 *
 * @param source the file, or the command line
 * @param line the line in it, from 1; 0 where the source is not read by lines
 */
public record Place(String source, int line) {

    public static final Place COMMAND_LINE = new Place("command line", 0);

    /** One that names its place, and wants no other. */
    static final class Refusal extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private Refusal(String message) {
            super(message);
        }
    }

    /** The refusal of what stands here: one line that names the place, the key and the problem. */
    public IllegalArgumentException refuse(String path, String problem) {
        return new Refusal(this + ": " + (path.isEmpty() ? "" : Refuse.shown(path) + ": ")
                + problem.strip().replaceAll("\\s+", " "));
    }

    @Override
    public String toString() {
        return line == 0 ? source : source + ": line " + line;
    }
}
