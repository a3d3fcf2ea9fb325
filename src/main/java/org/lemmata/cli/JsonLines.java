package org.lemmata.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.lemmata.cli.text.ExitCode;
import org.lemmata.file.Json;

/** Answers lines by one JSON object each, in their order. */
final class JsonLines {

    /** What answers a line, its blanks at both ends taken away, by names and values. */
    @FunctionalInterface
    interface Answers {

        /**
         * The answer.
         *
         * @param number of the line, from 1
         * @throws IllegalArgumentException if the line is no legal input
         */
        Map<String, Object> answer(String line, long number);
    }

    private JsonLines() {}

    /**
     * Prints the answers; that to a line that is no legal input is its {@code error}, and those after it are answered.
     *
     * @param input a file; - is standard input
     * @throws IllegalArgumentException at the end, if there was such a line
     */
    static int print(PrintWriter out, String input, Answers answers) throws IOException {
        long lines = 0;
        int illegal = 0;
        String first = null;
        try (BufferedReader reader = InputFile.open(input)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines++;
                Map<String, Object> answer = new LinkedHashMap<>();
                answer.put("input", line);
                try {
                    answer.putAll(answers.answer(line.strip(), lines));
                } catch (IllegalArgumentException e) {
                    illegal++;
                    String reason = String.valueOf(e.getMessage()).replaceFirst("^input: ", "");
                    first = first == null ? "line " + lines + ": " + reason : first;
                    answer.put("error", reason);
                }
                out.println(Json.line(answer));
                out.flush();
            }
        }
        if (first != null) {
            throw new IllegalArgumentException(
                    "input: " + first + (illegal == 1 ? "" : "; " + (illegal - 1) + " more refused"));
        }
        return ExitCode.CLEAN;
    }
}
