package org.lemmata.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.AtomicFile;
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

    /** A command's results. */
    interface Results {
        /** Prints them; returns the exit code. */
        int print(PrintWriter out) throws IOException;
    }

    /**
     * A command line in which the file of {@code --json FILE} is written {@code --json=FILE}, and {@code --json}
     * without a file {@code --json=-}. A word after {@code --json} is its file if it looks like one, except that
     * {@code compare} reads files of JMH results.
     *
     * @param hint hears of a word that was taken
     */
    static String[] withFiles(String[] args, Consumer<String> hint) {
        var words = new ArrayList<String>();
        for (int i = 0; i < args.length; i++) {
            if (!args[i].equals(NAME)) {
                words.add(args[i]);
            } else if (i + 1 < args.length && isFile(args[i + 1], args[0].equals("compare"))) {
                words.add(NAME + "=" + args[++i]);
                hint.accept(
                        NAME + " " + args[i] + " is read as " + NAME + "=" + args[i] + ", which is how to write it");
            } else {
                words.add(NAME + "=" + STANDARD_OUTPUT);
            }
        }
        return words.toArray(String[]::new);
    }

    private static boolean isFile(String word, boolean readsResults) {
        if (word.startsWith("-") || !(word.endsWith(".json") || word.contains("/"))) {
            return false;
        }
        Path file = Path.of(word);
        if (!readsResults || !Files.exists(file)) {
            return true;
        }
        try {
            // Comparisons are an object, results of JMH an array.
            return Files.readString(file).strip().startsWith("{");
        } catch (IOException e) {
            return false;
        }
    }

    boolean isGiven() {
        return file != null;
    }

    /** The file that is named; null if there is none. */
    @Nullable
    Path file() {
        return STANDARD_OUTPUT.equals(file) ? null : file;
    }

    /** Where text goes beside a file of JSON: nowhere if standard output is to have JSON alone. */
    PrintWriter text(PrintWriter out) {
        return STANDARD_OUTPUT.equals(file) ? new PrintWriter(Writer.nullWriter()) : out;
    }

    /** Prints to standard output, or into the file that is named once all of it is there. */
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

    /** The same of one text. */
    void println(PrintWriter out, String json) throws IOException {
        print(out, to -> {
            to.println(json);
            return 0;
        });
    }
}
