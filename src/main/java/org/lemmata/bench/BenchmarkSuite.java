package org.lemmata.bench;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.lemmata.file.Contents;
import org.lemmata.file.MalformedFileException;

/**
 * A file of benchmarks. Each line is a JMH command line, such as {@code SoftmaxBenchmark.vector$ -p columns=1024 -f 3}.
 * Text after {@code #} is a comment.
 */
public final class BenchmarkSuite {

    private BenchmarkSuite() {}

    /**
     * The cells of every line, in the order of the file.
     *
     * @param common options that override the options of every line
     * @throws IOException if the file is missing or a line is rejected; the message names file and line
     */
    public static List<BenchmarkCell> cells(Path file, BenchmarkJar jar, JmhArguments common, int defaultForks)
            throws IOException {
        var cells = new ArrayList<BenchmarkCell>();
        Set<String> keys = new HashSet<>();
        int number = 0;
        for (String text : lines(file)) {
            number++;
            List<String> words = JmhArguments.words(text.replaceFirst("#.*", ""));
            if (words.isEmpty()) {
                continue;
            }
            try {
                JmhArguments line = JmhArguments.parse(words);
                if (line.listing()) {
                    throw new IllegalArgumentException("expected benchmarks and options, got a listing: " + text);
                }
                if (line.profiles() || line.options().contains("-jvm")) {
                    throw new IllegalArgumentException("-prof, -jvm: expected on the command line, for all lines");
                }
                JmhArguments arguments = line.overriddenBy(common);
                for (BenchmarkCell cell : jar.cells(arguments, defaultForks)) {
                    if (!keys.add(cell.key())) {
                        throw new IllegalArgumentException(
                                "expected each benchmark once, got " + cell.key() + " again");
                    }
                    cells.add(cell);
                }
            } catch (IllegalArgumentException e) {
                throw new MalformedFileException(file, "line " + number, String.valueOf(e.getMessage()));
            }
        }
        if (cells.isEmpty()) {
            throw new MalformedFileException(file, "", "expected lines of benchmarks and options of JMH, got none");
        }
        return cells;
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Contents.text(file).lines().toList();
        } catch (NoSuchFileException e) {
            throw new MalformedFileException(file, "", "no such file; expected lines of benchmarks and options of JMH");
        }
    }
}
