package org.lemmata.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.file.Contents;
import org.lemmata.file.MalformedFileException;

/**
 * Reads one YAML document into {@link Node}s.
 *
 * <p>A dotted key is an abbreviation of nested sections: {@code model.width: 64} means {@code model: {width: 64}}.
 *
 * <p>Unusual features of YAML are not supported: aliases, tags, several documents and duplicate keys are rejected, and
 * {@code yes} and {@code off} are texts.
 */
final class YamlText {

    private static final YAMLFactory FACTORY = new YAMLFactory();

    /** A position in a message of the YAML parser. The last position in a message is the place of the problem. */
    private static final Pattern POSITION = Pattern.compile("in 'reader', line (\\d+), column (\\d+):");

    private static final Pattern INTEGER = Pattern.compile("[-+]?(0|[1-9][0-9_]*)");
    private static final Pattern REAL = Pattern.compile("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?");

    private final String source;
    private final boolean lines;
    private final YAMLParser parser;

    private YamlText(String source, boolean lines, YAMLParser parser) {
        this.source = source;
        this.lines = lines;
        this.parser = parser;
    }

    /**
     * Parses a document; null if it consists only of white space and comments.
     *
     * @param lines whether messages name lines
     * @throws IllegalArgumentException if it is not YAML; the message is one line
     */
    static @Nullable Node read(String source, boolean lines, String text) {
        try (YAMLParser parser = FACTORY.createParser(text)) {
            var reader = new YamlText(source, lines, parser);
            JsonToken first = parser.nextToken();
            if (first == null) {
                return null;
            }
            Node document = reader.value(first, "");
            if (parser.nextToken() != null) {
                throw reader.place().refuse("", "expected one YAML document, got a second one");
            }
            return document;
        } catch (JsonProcessingException e) {
            throw refusal(source, lines, e);
        } catch (IOException e) {
            throw new IllegalStateException("reading a text", e);
        }
    }

    /**
     * The text of a file.
     *
     * @throws IllegalArgumentException if there is no such file, or it is a directory
     * @throws IOException if it cannot be read, or is not in UTF-8
     */
    static String of(Path file) throws IOException {
        Place place = new Place(file.toString(), 0);
        try {
            return Contents.text(file);
        } catch (NoSuchFileException e) {
            throw place.refuse("", "expected a configuration, got no such file");
        } catch (FileSystemException | MalformedFileException e) {
            throw e;
        } catch (IOException e) {
            // The exception for a directory, for example, names neither the file nor the problem.
            throw place.refuse(
                    "",
                    "expected a configuration, got "
                            + (Files.isDirectory(file) ? "a directory" : "what cannot be read"));
        }
    }

    private static IllegalArgumentException refusal(String source, boolean lines, JsonProcessingException e) {
        String message = e.getOriginalMessage();
        int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
        Matcher position = POSITION.matcher(message);
        while (position.find()) {
            line = Integer.parseInt(position.group(1));
        }
        // Indented lines quote the user's own text.
        List<String> problem =
                message.lines().filter(part -> !part.startsWith(" ")).toList();
        return new Place(source, lines ? line : 0)
                .refuse("", "expected YAML: " + Refuse.withShortQuotes(String.join(": ", problem)));
    }

    private Place place() {
        return new Place(source, lines ? parser.currentTokenLocation().getLineNr() : 0);
    }

    private Node value(JsonToken token, String path) throws IOException {
        Place place = place();
        if (parser.getTypeId() != null) {
            throw place.refuse(path, "expected a value without a tag, got one of the type " + parser.getTypeId());
        }
        if (parser.isCurrentAlias()) {
            throw place.refuse(path, "expected the value itself, got the alias *" + parser.getText());
        }
        return switch (token) {
            case START_OBJECT -> mapping(place, path);
            case START_ARRAY -> sequence(place, path);
            default -> scalar(place, token, parser.getText());
        };
    }

    private Node mapping(Place place, String path) throws IOException {
        var entries = new LinkedHashMap<String, Node>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_OBJECT; token = parser.nextToken()) {
            String key = parser.currentName();
            String child = path.isEmpty() ? key : path + "." + key;
            Place at = place();
            put(entries, key, value(parser.nextToken(), child), at, path);
        }
        return new Node.Mapping(place, entries);
    }

    /** Puts a value at a key; a dotted key creates nested sections. */
    private void put(Map<String, Node> entries, String key, Node value, Place at, String path) {
        int dot = key.indexOf('.');
        boolean dotted = dot > 0 && dot < key.length() - 1;
        String first = dotted ? key.substring(0, dot) : key;
        String child = path.isEmpty() ? first : path + "." + first;
        Node before = entries.get(first);
        if (dotted && (before == null || before instanceof Node.Mapping)) {
            var below = new LinkedHashMap<String, Node>();
            if (before instanceof Node.Mapping section) {
                below.putAll(section.entries());
            }
            put(below, key.substring(dot + 1), value, at, child);
            entries.put(first, new Node.Mapping(before == null ? at : before.place(), below));
        } else if (before != null) {
            throw at.refuse(
                    child,
                    "expected this key once, got it again"
                            + (lines ? " after line " + before.place().line() : ""));
        } else {
            entries.put(first, value);
        }
    }

    private Node sequence(Place place, String path) throws IOException {
        var elements = new ArrayList<Node>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            elements.add(value(token, path + "." + elements.size()));
        }
        return new Node.Sequence(place, elements);
    }

    /** Whether a text looks like a number or a flag, so that it must have been in quotes. */
    static boolean isQuoted(String text) {
        return read("", false, text) instanceof Node.Scalar scalar && scalar.kind() != Node.Kind.TEXT;
    }

    /** A scalar. Only common notations of numbers and flags are accepted; other numbers and flags of YAML are texts. */
    private static Node scalar(Place place, JsonToken token, String text) {
        Node.Kind kind = switch (token) {
            case VALUE_NUMBER_INT -> INTEGER.matcher(text).matches() ? Node.Kind.INTEGER : Node.Kind.TEXT;
            case VALUE_NUMBER_FLOAT -> REAL.matcher(text).matches() ? Node.Kind.REAL : Node.Kind.TEXT;
            case VALUE_TRUE, VALUE_FALSE ->
                text.equals("true") || text.equals("false") ? Node.Kind.FLAG : Node.Kind.TEXT;
            case VALUE_NULL -> Node.Kind.NOTHING;
            default -> text.isEmpty() ? Node.Kind.NOTHING : Node.Kind.TEXT;
        };
        return new Node.Scalar(place, kind, text);
    }
}
