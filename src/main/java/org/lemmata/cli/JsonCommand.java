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
import org.lemmata.cli.text.ExitCode;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Json;
import picocli.CommandLine.Option;

/** A command with the option {@code --json}, which prints the results as JSON or writes them to a file. */
abstract class JsonCommand extends OutputCommand {

    private static final String NAME = "--json";

    private static final Path STANDARD_OUTPUT = Path.of("-");

    @Option(
            names = NAME,
            arity = "0..1",
            fallbackValue = "-",
            paramLabel = "FILE",
            description = "Print JSON instead of text, or write it to a file with --json=FILE.")
    private @Nullable Path json;

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

    final boolean isJson() {
        return json != null;
    }

    /** Rejects a file that cannot be written, before anything is computed. */
    final void requireJsonPlace() throws IOException {
        if (json != null && !json.equals(STANDARD_OUTPUT)) {
            OutDirectory.requireWritable(NAME, json, json);
        }
    }

    /** The writer for text. It discards the text if standard output may contain only JSON. */
    final PrintWriter text() {
        return STANDARD_OUTPUT.equals(json) ? new PrintWriter(Writer.nullWriter()) : out();
    }

    /** Prints results to the file of {@code --json}, or to standard output. */
    final int print(Results results) throws IOException {
        if (json == null || json.equals(STANDARD_OUTPUT)) {
            return results.print(out());
        }
        var text = new StringWriter();
        int code = results.print(new PrintWriter(text));
        AtomicFile.write(json, text.toString());
        return code;
    }

    /** Prints a value as indented JSON to standard output or the file, if JSON was requested. */
    final void printJson(Object value) throws IOException {
        printJson(value, () -> {});
    }

    /** {@link #printJson(Object)}, or {@code asText} if JSON was not requested. */
    final void printJson(Object value, Runnable asText) throws IOException {
        if (isJson()) {
            println(Json.indented(value));
        } else {
            asText.run();
        }
    }

    final void println(String text) throws IOException {
        print(to -> {
            to.println(text);
            return ExitCode.CLEAN;
        });
    }
}
