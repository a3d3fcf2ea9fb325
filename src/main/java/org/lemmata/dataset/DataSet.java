package org.lemmata.dataset;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.argument.Suggestion;
import org.lemmata.file.Contents;
import org.lemmata.file.FileTree;
import org.lemmata.file.JsonValue;
import org.lemmata.file.MalformedFileException;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.task.Task;
import org.lemmata.token.Example;
import org.lemmata.token.Vocabulary;

/**
 * A data set written by {@code lemmata generate} or by a user: a directory with {@code manifest.json} and a file of
 * examples for each split. The manifest needs {@code vocabulary} and {@code splits}; a user's own data have no
 * {@code task}.
 *
 * <p>A file in the format {@code tok} (with blanks between tokens) or {@code txt} (without) has only the inputs. Its
 * examples are for next-token prediction ({@link Example#nextToken}). If the split has {@code labels}, a file with one
 * number per line, its examples are for regression.
 */
public final class DataSet {

    private static final List<String> FORMATS = List.of("jsonl", "tok", "txt");

    private static final String MANIFEST = "manifest.json";

    private static final String EXPECTED_MANIFEST = "the manifest of a data set (lemmata generate)";

    private static final String EXPECTED = "an object with input, position, and target or value";

    private record Manifest(
            @JsonProperty @Nullable String task,
            @JsonProperty @Nullable Map<String, String> settings,
            List<String> vocabulary,
            Map<String, Part> splits) {}

    /**
     * An entry of the manifest for a split.
     *
     * @param file the file of its examples; null for the default name
     * @param examples number of examples; null if unknown
     * @param labels the file with numeric answers; null if answers are tokens or in the file of examples
     */
    private record Part(
            @JsonProperty @Nullable String file,
            @JsonProperty @Nullable Integer examples,
            @JsonProperty @Nullable String labels) {}

    private record TokenLine(List<String> input, List<String> target, List<Integer> position) {}

    private record NumberLine(List<String> input, List<Double> value, List<Integer> position) {}

    private final Path directory;
    private final DataSetFormat format;
    private final Manifest manifest;
    private final Vocabulary vocabulary;

    private final Map<String, List<Example>> splits = new HashMap<>();

    private DataSet(Path directory, DataSetFormat format, Manifest manifest) {
        this.directory = directory;
        this.format = format;
        this.manifest = manifest;
        this.vocabulary = new Vocabulary(manifest.vocabulary);
    }

    /**
     * Reads the manifest.
     *
     * @throws IOException if it is missing or malformed; the message names the file, the place and the expected content
     */
    public static DataSet open(Path directory) throws IOException {
        Path file = directory.resolve(MANIFEST);
        MalformedFileException.when(Files.isDirectory(file), file, "", "a file", "a directory");
        JsonValue read = JsonValue.parse(file, "", Contents.text(file), EXPECTED_MANIFEST);
        String format = read.field("format").or("jsonl", value -> value.oneOf(FORMATS));
        Manifest manifest = read.as(Manifest.class);
        MalformedFileException.when(manifest.vocabulary.isEmpty(), file, "vocabulary", "at least one", "none");
        MalformedFileException.when(manifest.splits.isEmpty(), file, "splits", "at least one", "none");
        try {
            return new DataSet(directory, DataSetFormat.valueOf(format.toUpperCase(Locale.ROOT)), manifest);
        } catch (IllegalArgumentException e) {
            throw new MalformedFileException(file, "vocabulary", String.valueOf(e.getMessage()));
        }
    }

    /** The name of the task from which the data set was drawn; empty if the manifest names none. */
    public Optional<String> task() {
        return Optional.ofNullable(manifest.task);
    }

    /** The settings of the task; empty if the manifest has none. */
    public Map<String, String> settings() {
        return manifest.settings == null ? Map.of() : Collections.unmodifiableMap(manifest.settings);
    }

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
     * @throws IOException if the file is missing, malformed or empty, or its number of examples differs from the
     *     manifest
     */
    public List<Example> examples(String split) throws IOException {
        List<Example> examples = splits.get(split);
        if (examples == null) {
            examples = List.copyOf(read(split));
            splits.put(split, examples);
        }
        return examples;
    }

    private List<Example> read(String split) throws IOException {
        Part part = manifest.splits.get(split);
        if (part == null) {
            throw new IllegalArgumentException(
                    "split: expected one of " + Refuse.shown(String.join(", ", manifest.splits.keySet())) + " in "
                            + directory + ", got " + Suggestion.quoted(split, manifest.splits.keySet()));
        }
        Path file = named(split, "file", part.file == null ? format.file(split) : part.file);
        var examples = new ArrayList<Example>();
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                String text = examples.isEmpty() ? Contents.withoutMark(line) : line;
                examples.add(example(file, examples.size() + 1, text));
            }
        } catch (CharacterCodingException e) {
            // The file is read again, because the buffering reader does not know the number of the malformed line.
            Contents.text(file);
            throw new MalformedFileException(file, "", "expected UTF-8");
        } catch (NoSuchFileException e) {
            throw new MalformedFileException(
                    file, "", "no such file; expected the examples of the split " + Refuse.shown(split));
        }
        MalformedFileException.when(examples.isEmpty(), file, "", "at least one example, one per line", "none");
        if (part.examples != null && examples.size() != part.examples) {
            throw new MalformedFileException(
                    file, "", "expected " + part.examples + " examples, as the manifest says, got " + examples.size());
        }
        return part.labels == null ? examples : labelled(examples, named(split, "labels", part.labels));
    }

    private Path named(String split, String field, String name) throws MalformedFileException {
        return FileTree.named(directory.resolve(MANIFEST), "splits." + Refuse.shown(split) + "." + field, name);
    }

    /** Regression examples with the inputs of {@code examples} and the numbers in the lines of {@code file}. */
    private static List<Example> labelled(List<Example> examples, Path file) throws IOException {
        List<String> lines = Contents.text(file).lines().toList();
        MalformedFileException.when(
                lines.size() != examples.size(), file, "", examples.size() + " numbers, one per example", lines.size());
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
            return switch (format) {
                case TOK -> Example.nextToken(ids("token", line.isEmpty() ? List.of() : List.of(line.split(" ", -1))));
                case TXT ->
                    Example.nextToken(ids(
                            "token",
                            line.codePoints().mapToObj(Character::toString).toList()));
                case JSONL -> example(JsonValue.parse(file, "line " + number, line, EXPECTED));
            };
        } catch (IllegalArgumentException e) {
            throw new MalformedFileException(file, "line " + number, String.valueOf(e.getMessage()));
        }
    }

    private Example example(JsonValue line) throws MalformedFileException {
        if (line.field("value").isAbsent()) {
            TokenLine tokens = line.as(TokenLine.class);
            requireOneEach("target", tokens.target, tokens.position);
            return new Example(ids("input", tokens.input), ids("target", tokens.target), ints(tokens.position));
        }
        Refuse.when(!line.field("target").isAbsent(), "target", "none with value", "one");
        NumberLine numbers = line.as(NumberLine.class);
        requireOneEach("value", numbers.value, numbers.position);
        float[] values = new float[numbers.value.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = numbers.value.get(i).floatValue();
            Refuse.when(
                    !Float.isFinite(values[i]),
                    "value[" + i + "]",
                    "a finite number of binary32",
                    numbers.value.get(i));
        }
        return new Example(ids("input", numbers.input), new int[0], values, ints(numbers.position));
    }

    private static void requireOneEach(String field, List<?> answers, List<Integer> positions) {
        Refuse.when(
                answers.size() != positions.size(),
                field,
                "as many as in position, " + positions.size(),
                answers.size());
    }

    private static int[] ints(List<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }

    private int[] ids(String field, List<String> symbols) {
        int[] ids = new int[symbols.size()];
        for (int i = 0; i < ids.length; i++) {
            try {
                ids[i] = vocabulary.id(symbols.get(i));
            } catch (IllegalArgumentException e) {
                // The vocabulary's own message would list all symbols.
                String place = field + "[" + i + "]";
                throw new IllegalArgumentException(
                        place + ": expected a symbol of the manifest's vocabulary, got "
                                + Refuse.quoted(symbols.get(i)),
                        e);
            }
        }
        return ids;
    }

    /** A user's own data set as a task: only its examples are known. */
    public static final class DataSetTask extends Task {

        /** The name of this task in configurations. */
        public static final String NAME = "data";

        private final List<Example> examples = new ArrayList<>();

        /**
         * Reads all splits.
         *
         * @throws IOException as {@link DataSet#examples} does
         */
        public DataSetTask(DataSet files) throws IOException {
            super(
                    files.task().orElse(NAME),
                    new Source(new Paper(NAME, "the user's own files", 0, "none"), "manifest.json"),
                    files.vocabulary());
            for (String split : files.splits()) {
                examples.addAll(files.examples(split));
            }
        }

        /** The number of tokens of the longest input. */
        @Override
        public int defaultLength() {
            return examples.stream().mapToInt(Example::length).max().orElseThrow();
        }

        /** Draws uniformly from the examples whose inputs have at most {@code length} tokens. */
        @Override
        public Example sample(RandomGenerator random, int length) {
            List<Example> some = examples.stream()
                    .filter(example -> example.length() <= length)
                    .toList();
            Refuse.when(some.isEmpty(), "length", "that of an example", length);
            return some.get(random.nextInt(some.size()));
        }

        /** Whether a sequence is the input of an example. */
        @Override
        public boolean accepts(int... ids) {
            return examples.stream().anyMatch(example -> Arrays.equals(example.inputs(), ids));
        }
    }
}
