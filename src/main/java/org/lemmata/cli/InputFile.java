package org.lemmata.cli;

import java.io.BufferedReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.lemmata.argument.Refuse;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.file.Json;

/** The file given as {@code --input}, or standard input. */
final class InputFile {

    /** The maximum number of bytes in a line; an endless line, as from a device, would fill the memory. */
    private static final int LONGEST_LINE = 1 << 24;

    private InputFile() {}

    /**
     * Opens the text. Bytes that are not UTF-8 become U+FFFD. Models of text accept this character; other input with it
     * is rejected with an error that names the line.
     *
     * @param name a file; - for standard input
     * @throws IllegalArgumentException if it is a directory; the reader throws it if a line is too long
     */
    static BufferedReader open(String name) throws IOException {
        Path file = Path.of(name);
        Refuse.when(Files.isDirectory(file), "--input", "a file", name.isEmpty() ? "''" : "the directory " + name);
        InputStream stream = name.equals("-") ? System.in : Files.newInputStream(file);
        var reader = new BufferedReader(new InputStreamReader(new Lines(stream), StandardCharsets.UTF_8));
        // Programs on Windows begin a file with a byte order mark.
        reader.mark(1);
        if (reader.read() != '\uFEFF') {
            reader.reset();
        }
        return reader;
    }

    /** Computes the fields of the JSON object for one input line. */
    @FunctionalInterface
    interface Answers {

        /**
         * The fields for a line, which is stripped of white space.
         *
         * @param number the line number, from 1
         * @throws IllegalArgumentException if the line is not legal input
         */
        Map<String, Object> answer(String line, long number);
    }

    /**
     * Prints one JSON object per line, in order. For a line that is not legal input, the object has an {@code error},
     * and the following lines are still read, until standard output fails or its reader has gone.
     *
     * @param input a file; - for standard input
     * @throws IllegalArgumentException after the last line, if any line was not legal
     */
    static int answer(PrintWriter out, String input, Answers answers) throws IOException {
        long lines = 0;
        var refused = new RefusedLines();
        try (BufferedReader reader = open(input)) {
            for (String line = reader.readLine(); line != null && !out.checkError(); line = reader.readLine()) {
                lines++;
                Map<String, Object> answer = new LinkedHashMap<>();
                answer.put("input", line);
                try {
                    answer.putAll(answers.answer(line.strip(), lines));
                } catch (IllegalArgumentException e) {
                    String reason = String.valueOf(e.getMessage()).replaceFirst("^input: ", "");
                    refused.add(lines, reason);
                    answer.put("error", reason);
                }
                out.println(Json.line(answer));
                out.flush();
            }
        }
        refused.end();
        return ExitCode.CLEAN;
    }

    static final class RefusedLines {

        private String first = "";
        private long count;

        void add(long number, String reason) {
            count++;
            first = count == 1 ? "input: line " + number + ": " + reason : first;
        }

        /** @throws IllegalArgumentException if any line was not legal; the message names the first */
        void end() {
            if (count > 0) {
                throw new IllegalArgumentException(first + (count == 1 ? "" : "; " + (count - 1) + " more rejected"));
            }
        }
    }

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
