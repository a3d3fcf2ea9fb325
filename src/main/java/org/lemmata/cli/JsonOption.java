package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Json;
import picocli.CommandLine.Option;

/** The option {@code --json} of every command that prints results, for {@code @Mixin}. */
final class JsonOption {

    static final String NAME = "--json";

    private static final Path STANDARD_OUTPUT = Path.of("-");

    @Option(
            names = NAME,
            arity = "0..1",
            fallbackValue = "-",
            paramLabel = "FILE",
            description = "Print JSON instead of text, or write it to a file with --json=FILE.")
    private @Nullable Path file;

    interface Results {
        int print(PrintWriter out) throws IOException;
    }

    /**
     * Replaces {@code --json FILE} by {@code --json=FILE}, and {@code --json} without a file by {@code --json=-}. A
     * word after {@code --json} is a file if it looks like the name of one. A directory or an existing file without
     * JSON is an argument instead, which must not be overwritten, and so are JMH results in {@code compare} and every
     * existing file in {@code tokenize}.
     *
     * @param hint receives a message about each word that was taken as a file
     */
    static String[] withFiles(String[] args, Consumer<String> hint) {
        var words = new ArrayList<String>();
        for (int i = 0; i < args.length; i++) {
            if (!args[i].equals(NAME)) {
                words.add(args[i]);
            } else if (i + 1 < args.length && isFile(args[i + 1], List.of(args))) {
                words.add(NAME + "=" + args[++i]);
                hint.accept(NAME + " " + args[i] + " is read as " + NAME + "=" + args[i] + "; write it that way");
            } else {
                words.add(NAME + "=" + STANDARD_OUTPUT);
            }
        }
        return words.toArray(String[]::new);
    }

    private static boolean isFile(String word, List<String> args) {
        if (word.startsWith("-") || !(word.endsWith(".json") || word.contains("/"))) {
            return false;
        }
        Path file = Path.of(word);
        if (!Files.isRegularFile(file)) {
            return !Files.isDirectory(file);
        }
        if (args.contains("tokenize")) {
            return false;
        }
        try (Reader reader = Files.newBufferedReader(file)) {
            int first = reader.read();
            while (Character.isWhitespace(first)) {
                first = reader.read();
            }
            return first == '{' || ((first == '[' || first < 0) && !args.contains("compare"));
        } catch (IOException e) {
            return false;
        }
    }

    boolean isGiven() {
        return file != null;
    }

    @Nullable
    Path file() {
        return STANDARD_OUTPUT.equals(file) ? null : file;
    }

    /** Rejects a file that cannot be written, before anything is computed. */
    void requirePlace() throws IOException {
        Path named = file();
        if (named != null) {
            OutDirectory.requireWritable(NAME, named, named);
        }
    }

    /** The writer for text. It discards the text if standard output may contain only JSON. */
    PrintWriter text(PrintWriter out) {
        return STANDARD_OUTPUT.equals(file) ? new PrintWriter(Writer.nullWriter()) : out;
    }

    int print(PrintWriter out, Results results) throws IOException {
        Path named = file();
        if (named == null) {
            return results.print(out);
        }
        var text = new StringWriter();
        int code = results.print(new PrintWriter(text));
        AtomicFile.write(named, text.toString());
        return code;
    }

    /** Prints a value as indented JSON to standard output or the file, if JSON was requested. */
    void print(PrintWriter out, Object value) throws IOException {
        print(out, value, () -> {});
    }

    /** {@link #print(PrintWriter, Object)}, or {@code asText} if JSON was not requested. */
    void print(PrintWriter out, Object value, Runnable asText) throws IOException {
        if (file == null) {
            asText.run();
        } else {
            println(out, Json.indented(value));
        }
    }

    void println(PrintWriter out, String json) throws IOException {
        print(out, to -> {
            to.println(json);
            return 0;
        });
    }
}
