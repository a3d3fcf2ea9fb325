package org.lemmata.cli;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a command line answered. */
record CommandLineRun(int code, String out, String err) {

    static CommandLineRun of(String... args) {
        return withInput("", args);
    }

    /** With {@code input} on standard input. */
    static CommandLineRun withInput(String input, String... args) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            var out = new StringWriter();
            var err = new StringWriter();
            int code = Lemmata.execute(new PrintWriter(out), new PrintWriter(err), args);
            return new CommandLineRun(code, out.toString(), err.toString());
        } finally {
            System.setIn(before);
        }
    }

    List<String> outLines() {
        return out.lines().toList();
    }

    List<String> errLines() {
        return err.lines().toList();
    }
}
