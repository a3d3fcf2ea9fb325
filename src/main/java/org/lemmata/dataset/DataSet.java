package org.lemmata.dataset;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.lemmata.argument.Refuse;
import org.lemmata.argument.Suggestion;
import org.lemmata.file.Contents;
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

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
            .build();

    private static final List<String> FORMATS = List.of("jsonl", "tok", "txt");

    private static final String MANIFEST = "manifest.json";

    private static final String EXPECTED_MANIFEST = "expected the manifest of a data set (lemmata generate)";

    private static final String EXPECTED = "expected an object with input, position, and target or value";

    /** What is read of the manifest. */
    private record Manifest(
            String task,
            Map<String, String> settings,
            String format,
            List<String> vocabulary,
            Map<String, Part> splits) {}

    private record Part(String file, int examples) {}

    /** What the manifest says of a split besides, where numbers are expected. */
    private static final String LABELS = "labels";

    /** A line in the format jsonl whose answers are tokens. */
    @SuppressWarnings("ArrayRecordComponent") // Unpacked at once; nobody compares or prints them.
    private record TokenLine(List<String> input, List<String> target, int[] position) {}

    /** A line in the format jsonl whose answers are numbers. */
    @SuppressWarnings("ArrayRecordComponent") // Unpacked at once; nobody compares or prints them.
    private record NumberLine(List<String> input, float[] value, int[] position) {}

    private final Path directory;
    private final Manifest manifest;
    private final Vocabulary vocabulary;

    /** The files of numbers of those splits that have one. */
    private final Map<String, String> labels = new HashMap<>();

    private DataSet(Path directory, Manifest manifest, JsonNode read) {
        this.directory = directory;
        this.manifest = manifest;
        this.vocabulary = new Vocabulary(manifest.vocabulary);
        for (String split : manifest.splits.keySet()) {
            JsonNode file = read.get("splits").get(split).get(LABELS);
            if (file != null) {
                labels.put(split, file.asText());
            }
        }
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
        try {
            JsonNode read = MAPPER.readTree(Contents.text(file));
            if (!read.isObject()) {
                throw new MalformedFileException(file, "", EXPECTED_MANIFEST + ", got no object");
            }
            Manifest manifest = MAPPER.treeToValue(read, Manifest.class);
            if (!FORMATS.contains(manifest.format)) {
                throw new MalformedFileException(file, "format", "expected jsonl, tok or txt, got " + manifest.format);
            }
            return new DataSet(directory, manifest, read);
        } catch (JsonProcessingException e) {
            throw new MalformedFileException(
                    file, "", EXPECTED_MANIFEST + ": " + Refuse.withShortQuotes(e.getOriginalMessage()));
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
        return labels.containsKey(split) ? labelled(examples, directory.resolve(labels.get(split))) : examples;
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
            JsonNode node = MAPPER.readTree(line);
            if (!node.isObject()) {
                throw new MalformedFileException(file, "line " + number, EXPECTED + ", got " + Refuse.quoted(line));
            }
            if (node.has("value")) {
                NumberLine read = MAPPER.treeToValue(node, NumberLine.class);
                return new Example(ids(read.input), new int[0], read.value, read.position);
            }
            TokenLine read = MAPPER.treeToValue(node, TokenLine.class);
            return new Example(ids(read.input), ids(read.target), read.position);
        } catch (JsonProcessingException e) {
            throw new MalformedFileException(
                    file, "line " + number, EXPECTED + ": " + Refuse.withShortQuotes(e.getOriginalMessage()));
        } catch (IllegalArgumentException e) {
            throw new MalformedFileException(file, "line " + number, String.valueOf(e.getMessage()));
        }
    }

    private int[] ids(List<String> symbols) {
        return symbols.stream().mapToInt(vocabulary::id).toArray();
    }
}
