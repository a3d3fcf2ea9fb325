package org.lemmata.dataset;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.argument.Suggestion;
import org.lemmata.file.Contents;
import org.lemmata.file.JsonValue;
import org.lemmata.file.MalformedFileException;
import org.lemmata.token.Example;
import org.lemmata.token.Vocabulary;

/**
 * A data set that {@code lemmata generate} wrote: a directory with {@code manifest.json} and a file of examples a
 * split.
 *
 * <p>A file in the format {@code tok} or {@code txt} has the input's tokens alone, with blanks between them or without;
 * its examples are those of next-token prediction, {@link Example#nextToken}, or, where the split has {@code labels}, a
 * file of one number a line, those of regression.
 */
public final class DataSet {

    private static final List<String> FORMATS = List.of("jsonl", "tok", "txt");

    private static final String MANIFEST = "manifest.json";

    private static final String EXPECTED_MANIFEST = "the manifest of a data set (lemmata generate)";

    private static final String EXPECTED = "an object with input, position, and target or value";

    /** What is read of the manifest. */
    private record Manifest(
            String task,
            Map<String, String> settings,
            String format,
            List<String> vocabulary,
            Map<String, Part> splits) {}

    /**
     * A split.
     *
     * @param labels the file of its numbers; null where no numbers are expected, or the examples have them
     */
    private record Part(
            String file,
            int examples,
            @JsonProperty @Nullable String labels) {}

    /** A line in the format jsonl whose answers are tokens. */
    private record TokenLine(List<String> input, List<String> target, List<Integer> position) {}

    /** A line in the format jsonl whose answers are numbers. */
    private record NumberLine(List<String> input, List<Double> value, List<Integer> position) {}

    private final Path directory;
    private final Manifest manifest;
    private final Vocabulary vocabulary;

    private DataSet(Path directory, Manifest manifest) {
        this.directory = directory;
        this.manifest = manifest;
        this.vocabulary = new Vocabulary(manifest.vocabulary);
    }

    /**
     * Reads the manifest.
     *
     * @throws IOException if it is missing or malformed; the message names file, place and what was expected
     */
    public static DataSet open(Path directory) throws IOException {
        Path file = directory.resolve(MANIFEST);
        if (Files.isDirectory(file)) {
            throw new MalformedFileException(file, "", "expected a file, got a directory");
        }
        JsonValue read = JsonValue.parse(file, "", Contents.text(file), EXPECTED_MANIFEST);
        read.field("format").oneOf(FORMATS);
        try {
            return new DataSet(directory, read.as(Manifest.class));
        } catch (IllegalArgumentException e) {
            throw new MalformedFileException(file, "vocabulary", String.valueOf(e.getMessage()));
        }
    }

    /** The name of the task that it was drawn from. */
    public String task() {
        return manifest.task;
    }

    /** The settings of that task. */
    public Map<String, String> settings() {
        return Collections.unmodifiableMap(manifest.settings);
    }

    /** The names of the splits. */
    public Set<String> splits() {
        return Collections.unmodifiableSet(manifest.splits.keySet());
    }

    public Vocabulary vocabulary() {
        return vocabulary;
    }

    /**
     * All examples of a split, in the order of its file.
     *
     * @throws IllegalArgumentException if there is no such split
     * @throws IOException if the file is missing, malformed, or has another number of examples than the manifest says
     */
    public List<Example> examples(String split) throws IOException {
        Part part = manifest.splits.get(split);
        if (part == null) {
            throw new IllegalArgumentException("split: expected one of " + String.join(", ", manifest.splits.keySet())
                    + " in " + directory + ", got " + Suggestion.quoted(split, manifest.splits.keySet()));
        }
        Path file = directory.resolve(part.file);
        var examples = new ArrayList<Example>();
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                examples.add(example(file, examples.size() + 1, line));
            }
        } catch (CharacterCodingException e) {
            // The reader has read on, and does not know the line.
            Contents.text(file);
            throw new MalformedFileException(file, "", "expected UTF-8");
        }
        if (examples.size() != part.examples) {
            throw new MalformedFileException(
                    file, "", "expected " + part.examples + " examples, as the manifest says, got " + examples.size());
        }
        return part.labels == null ? examples : labelled(examples, directory.resolve(part.labels));
    }

    /** The same inputs, of which the last position expects the number on its line of a file. */
    private static List<Example> labelled(List<Example> examples, Path file) throws IOException {
        List<String> lines = Contents.text(file).lines().toList();
        if (lines.size() != examples.size()) {
            throw new MalformedFileException(
                    file, "", "expected " + examples.size() + " numbers, one an example, got " + lines.size());
        }
        var regression = new ArrayList<Example>(lines.size());
        for (int i = 0; i < lines.size(); i++) {
            try {
                float value = Float.parseFloat(Refuse.suffix(lines.get(i)));
                if (!Float.isFinite(value)) {
                    throw new NumberFormatException("not finite");
                }
                regression.add(Example.regression(examples.get(i).inputs(), value));
            } catch (NumberFormatException e) {
                throw new MalformedFileException(
                        file, "line " + (i + 1), "expected a finite number, got " + Refuse.quoted(lines.get(i)));
            } catch (IllegalArgumentException e) {
                throw new MalformedFileException(file, "line " + (i + 1), String.valueOf(e.getMessage()));
            }
        }
        return regression;
    }

    private Example example(Path file, int number, String line) throws MalformedFileException {
        try {
            if (manifest.format.equals("tok")) {
                return Example.nextToken(ids(line.isEmpty() ? List.of() : List.of(line.split(" ", -1))));
            }
            if (manifest.format.equals("txt")) {
                return Example.nextToken(ids(Stream.of(line.split(""))
                        .filter(symbol -> !symbol.isEmpty())
                        .toList()));
            }
            JsonValue read = JsonValue.parse(file, "line " + number, line, EXPECTED);
            if (read.field("value").isAbsent()) {
                TokenLine tokens = read.as(TokenLine.class);
                return new Example(ids(tokens.input), ids(tokens.target), ints(tokens.position));
            }
            NumberLine numbers = read.as(NumberLine.class);
            float[] values = new float[numbers.value.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = numbers.value.get(i).floatValue();
            }
            return new Example(ids(numbers.input), new int[0], values, ints(numbers.position));
        } catch (IllegalArgumentException e) {
            throw new MalformedFileException(file, "line " + number, String.valueOf(e.getMessage()));
        }
    }

    private static int[] ints(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }

    private int[] ids(List<String> symbols) {
        return symbols.stream().mapToInt(vocabulary::id).toArray();
    }
}
