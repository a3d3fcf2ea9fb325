package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;

/** The exit code and the output of a command line. */
public record CommandLineRun(int code, String out, String err) {

    /** Standard input of each thread, because several tests run command lines at the same time. */
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

    /** Runs a line of words separated by blanks; each %s is replaced by one of {@code words}, such as a path. */
    public static CommandLineRun line(String line, Object... words) {
        return lineWithInput("", line, words);
    }

    static CommandLineRun lineWithInput(String input, String line, Object... words) {
        String filled = line;
        for (Object word : words) {
            filled = filled.replaceFirst("%s", Matcher.quoteReplacement(word.toString()));
        }
        return withInput(input, filled.strip().split(" +"));
    }

    /** Runs a command line with {@code input} on standard input. */
    public static CommandLineRun withInput(String input, String... args) {
        return run(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), new StringWriter(), args);
    }

    static CommandLineRun run(InputStream input, Writer out, String... args) {
        INPUT.set(input);
        try {
            var err = new StringWriter();
            int code = Lemmata.execute(new PrintWriter(out), new PrintWriter(err), args);
            return new CommandLineRun(code, out.toString(), err.toString());
        } finally {
            INPUT.remove();
        }
    }

    /** Runs a line as {@link #line} does, and checks that the exit code is 0. */
    public static CommandLineRun clean(String line, Object... words) {
        return line(line, words).clean();
    }

    /** Checks that the exit code is 0; returns this run. */
    public CommandLineRun clean() {
        return exits(0);
    }

    /** Checks the exit code; returns this run. */
    CommandLineRun exits(int expected) {
        assertThat(code).as("%s", this).isEqualTo(expected);
        return this;
    }

    /** Checks that the exit code is 0 and there are no messages; returns this run. */
    CommandLineRun quiet() {
        assertThat(err).isEmpty();
        return clean();
    }

    /** Standard output as JSON. */
    public JsonNode json() {
        return json(out);
    }

    /** The printed lines, each as JSON. */
    List<JsonNode> answers() {
        return out.lines().map(CommandLineRun::json).toList();
    }

    static JsonNode json(String text) {
        try {
            return JsonMapper.builder().build().readTree(text);
        } catch (IOException e) {
            throw new AssertionError("expected JSON, got " + text, e);
        }
    }

    static JsonNode json(Path file) throws IOException {
        return json(Files.readString(file));
    }

    /** Checks that the exit code is 2 with one line on standard error; returns the line. */
    public String refusal() {
        assertThat(code).as("%s", this).isEqualTo(2);
        assertThat(errLines()).hasSize(1);
        return errLines().getFirst();
    }

    /** Checks that the command was rejected with this line and printed nothing. */
    public void refused(String message) {
        assertThat(refusal()).isEqualTo("lemmata: " + message);
        assertThat(out).isEmpty();
    }

    /** Checks that the command was rejected with a line that has these parts. */
    public void refusedWith(String... parts) {
        assertThat(refusal()).contains(parts);
    }

    List<String> outLines() {
        return out.lines().toList();
    }

    List<String> errLines() {
        return err.lines().toList();
    }
}
