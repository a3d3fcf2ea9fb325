package org.lemmata.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a command line answered. */
public record CommandLineRun(int code, String out, String err) {

    /** Standard input of each thread: several tests run command lines at a time. */
    private static final ThreadLocal<InputStream> INPUT = ThreadLocal.withInitial(InputStream::nullInputStream);

    static {
        System.setIn(new InputStream() {
            @Override
            public int read() throws IOException {
                return INPUT.get().read();
            }

            @Override
            public int read(byte[] to, int at, int length) throws IOException {
                return INPUT.get().read(to, at, length);
            }
        });
    }

    public static CommandLineRun of(String... args) {
        return withInput("", args);
    }

    /** With {@code input} on standard input. */
    public static CommandLineRun withInput(String input, String... args) {
        INPUT.set(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            var out = new StringWriter();
            var err = new StringWriter();
            int code = Lemmata.execute(new PrintWriter(out), new PrintWriter(err), args);
            return new CommandLineRun(code, out.toString(), err.toString());
        } finally {
            INPUT.remove();
        }
    }

    List<String> outLines() {
        return out.lines().toList();
    }

    List<String> errLines() {
        return err.lines().toList();
    }
}
