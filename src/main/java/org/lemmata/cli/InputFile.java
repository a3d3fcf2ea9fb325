package org.lemmata.cli;

import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lemmata.argument.Refuse;

/** What {@code --input} names, or standard input. */
final class InputFile {

    /** A line that is longer has no end, as that of a device. */
    private static final int LONGEST_LINE = 1 << 24;

    private InputFile() {}

    /**
     * Its text. Bytes that are not UTF-8 become characters that no input has, so that their line is the one in error.
     *
     * @param name of a file; - is standard input
     * @throws IllegalArgumentException if it is a directory; later, if a line has no end
     */
    static BufferedReader open(String name) throws IOException {
        Path file = Path.of(name);
        Refuse.when(Files.isDirectory(file), "--input", "a file", "the directory " + name);
        InputStream stream = name.equals("-") ? System.in : Files.newInputStream(file);
        var reader = new BufferedReader(new InputStreamReader(new Lines(stream), StandardCharsets.UTF_8));
        // Programs on Windows begin with a byte order mark.
        reader.mark(1);
        if (reader.read() != '\uFEFF') {
            reader.reset();
        }
        return reader;
    }

    /** Counts the bytes of a line as they pass. */
    private static final class Lines extends FilterInputStream {

        private long ofLine;

        Lines(InputStream stream) {
            super(stream);
        }

        @Override
        public int read(byte[] to, int at, int length) throws IOException {
            int count = super.read(to, at, length);
            for (int i = at; i < at + count; i++) {
                ofLine = to[i] == '\n' ? 0 : ofLine + 1;
            }
            Refuse.when(ofLine > LONGEST_LINE, "input", "lines of at most 16 MiB", "a longer one");
            return count;
        }
    }
}
