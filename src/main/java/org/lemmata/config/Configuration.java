package org.lemmata.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.function.DoublePredicate;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The values of a {@link Section}, read with checks.
 *
 * <p>Every refusal is an {@link IllegalArgumentException} of one line: the file and line or the command line, the key's
 * path, what was expected and what came. What was read is kept, so that the effective configuration, defaults included, can
 * be written; and what was given but never read can be refused, since it would have no effect.
 */
public final class Configuration {

    private static final YAMLMapper YAML = YAMLMapper.builder(YAMLFactory.builder()
                    .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                    .disable(YAMLGenerator.Feature.SPLIT_LINES)
                    .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                    .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                    .build())
            .build();

    private final Section whole;
    private final Section section;
    private final String path;
    private final Node.Mapping given;
    private final Map<String, Object> effective = new HashMap<>();

    private Configuration(Section whole, Section section, String path, Node.Mapping given) {
        this.whole = whole;
        this.section = section;
        this.path = path;
        this.given = given;
        requireKnown();
    }

    /**
     * Reads a file and puts the overrides in place of its values.
     *
     * @param overrides {@code dotted.path=value}, the value a YAML scalar or list; the last of several holds
     * @throws IllegalArgumentException if the file is no YAML, or a key is not known, or an override is not of the form
     * @throws IOException if the file cannot be read
     */
    public static Configuration read(Path file, List<String> overrides, Section section) throws IOException {
        Place place = new Place(file.toString(), 0);
        Node document = YamlText.read(file.toString(), true, text(file, place));
        return switch (document) {
            case null -> throw place.refuse("", expectedKeys(section) + ", got an empty file");
            case Node.Mapping root ->
                new Configuration(
                        section, section, "", Overrides.apply(new Node.Mapping(place, root.entries()), overrides));
            default -> throw document.place().refuse("", expectedKeys(section) + ", got " + document.came());
        };
    }

    private static String text(Path file, Place place) throws IOException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw place.refuse("", "expected YAML in UTF-8, got other bytes");
        } catch (NoSuchFileException e) {
            throw place.refuse("", "expected a configuration, got no such file");
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) {
            // Reading a directory ends here: its exception names neither the file nor the fault.
            throw place.refuse("", "expected a configuration, got what cannot be read");
        }
    }

    private static String expectedKeys(Section section) {
        return "expected the keys " + String.join(", ", section.names());
    }

    private void requireKnown() {
        if (section.form() == Section.Form.OPEN) {
            return;
        }
        List<String> names = section.names();
        given.entries().forEach((key, value) -> {
            if (!names.contains(key)) {
                String hint = Suggestion.of(key, names)
                        .or(() -> elsewhere(key))
                        .map(name -> "did you mean " + name + "?")
                        .orElse("expected one of " + String.join(", ", names));
                throw value.place().refuse(pathOf(key), "unknown, " + hint);
            }
        });
    }

    /** The path of a key that is known, but not in this section. */
    private Optional<String> elsewhere(String key) {
        return whole.paths().stream()
                .filter(known -> known.endsWith("." + key) || known.equals(key))
                .findFirst();
    }

    private String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** Whether a key or section was given, here or on the command line. */
    public boolean isGiven(String key) {
        return given.entries().containsKey(key);
    }

    /** The refusal of a key's value: {@code problem} says what was expected and what came. */
    public IllegalArgumentException refusal(String key, String problem) {
        Node node = given.entries().get(key);
        return (node == null ? given : node).place().refuse(pathOf(key), problem);
    }

    /** An integer within [least, greatest]. */
    public int integer(String key, int least, int greatest) {
        return keep(key, integer(key, node(key), least, greatest));
    }

    /** An integer within [least, greatest], or else {@code derived}. */
    public int integer(String key, int least, int greatest, IntSupplier derived) {
        Node node = given.entries().get(key);
        return keep(key, node == null ? derived.getAsInt() : integer(key, node, least, greatest));
    }

    private int integer(String key, @Nullable Node node, int least, int greatest) {
        if (node instanceof Node.Scalar(_, Node.Kind kind, String text) && kind == Node.Kind.INTEGER) {
            try {
                int value = Integer.parseInt(text.replace("_", ""));
                if (value >= least && value <= greatest) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // Refused below, like a number out of range.
            }
        }
        throw unexpected(
                key,
                greatest == Integer.MAX_VALUE
                        ? "an integer from " + least
                        : "an integer from " + least + " to " + greatest,
                node);
    }

    /** A seed, any integer of 64 bits. */
    public long seed(String key) {
        Node node = node(key);
        if (node instanceof Node.Scalar(_, Node.Kind kind, String text) && kind == Node.Kind.INTEGER) {
            try {
                return keep(key, Long.parseLong(text.replace("_", "")));
            } catch (NumberFormatException e) {
                // Refused below.
            }
        }
        throw unexpected(key, "an integer of 64 bits", node);
    }

    /** A number above 0. */
    public double positive(String key) {
        return keep(key, real(key, node(key), "a number above 0", x -> x > 0));
    }

    /** A number above 0, or empty where the value is {@code none}. */
    public OptionalDouble positiveOrNone(String key) {
        Node node = node(key);
        if (node instanceof Node.Scalar scalar && scalar.text().equals("none")) {
            keep(key, "none");
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(keep(key, real(key, node, "a number above 0 or none", x -> x > 0)));
    }

    /** A number from 0. */
    public double notNegative(String key) {
        return keep(key, real(key, node(key), "a number from 0", x -> x >= 0));
    }

    /** A number from 0, or else {@code derived}. */
    public double notNegative(String key, double derived) {
        Node node = given.entries().get(key);
        return keep(key, node == null ? derived : real(key, node, "a number from 0", x -> x >= 0));
    }

    /** A number within [0, 1). */
    public double fraction(String key) {
        return keep(key, real(key, node(key), "a number from 0 to below 1", x -> x >= 0 && x < 1));
    }

    /** As many numbers within [0, 1) as the key has by default. */
    public List<Double> fractions(String key) {
        Node node = node(key);
        int count = fallback(key) instanceof Node.Sequence list ? list.elements().size() : 0;
        String expected = "a list of " + count + " numbers from 0 to below 1";
        if (node instanceof Node.Sequence list && list.elements().size() == count) {
            return keep(
                    key,
                    list.elements().stream()
                            .map(element -> real(key, element, expected, x -> x >= 0 && x < 1))
                            .toList());
        }
        throw unexpected(key, expected, node);
    }

    private double real(String key, @Nullable Node node, String expected, DoublePredicate legal) {
        if (node instanceof Node.Scalar(_, Node.Kind kind, String text)
                && (kind == Node.Kind.INTEGER || kind == Node.Kind.REAL)) {
            double value = Double.parseDouble(text.replace("_", ""));
            if (Double.isFinite(value) && legal.test(value)) {
                return value;
            }
        }
        throw unexpected(key, expected, node);
    }

    /** true or false. */
    public boolean flag(String key) {
        return keep(key, flag(key, node(key)));
    }

    /** true or false, or else {@code derived}. */
    public boolean flag(String key, boolean derived) {
        Node node = given.entries().get(key);
        return keep(key, node == null ? derived : flag(key, node));
    }

    private boolean flag(String key, @Nullable Node node) {
        if (node instanceof Node.Scalar(_, Node.Kind kind, String text) && kind == Node.Kind.FLAG) {
            return text.equals("true");
        }
        throw unexpected(key, "true or false", node);
    }

    /** One of an enumeration's constants, in lower case with hyphens. */
    public <E extends Enum<E>> E choice(String key, Class<E> type) {
        return choice(key, List.of(type.getEnumConstants()));
    }

    /** One of {@code choices}, in lower case with hyphens. */
    public <E extends Enum<E>> E choice(String key, List<E> choices) {
        Node node = node(key);
        for (E choice : choices) {
            if (node instanceof Node.Scalar scalar && scalar.text().equals(word(choice))) {
                keep(key, word(choice));
                return choice;
            }
        }
        String words = choices.stream().map(Configuration::word).collect(Collectors.joining(", "));
        throw unexpected(key, "one of " + words, node);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** A text that is not empty; a number or a flag is taken as it was written. */
    public String text(String key, String expected) {
        Node node = node(key);
        if (node instanceof Node.Scalar(_, Node.Kind kind, String text) && kind != Node.Kind.NOTHING) {
            return keep(key, text);
        }
        throw unexpected(key, expected, node);
    }

    /** {@code word}, or else an integer within [least, greatest], which is then not empty. */
    public Optional<Integer> integerOr(String word, String key, int least, int greatest) {
        Node node = node(key);
        if (node instanceof Node.Scalar scalar && scalar.text().equals(word)) {
            keep(key, word);
            return Optional.empty();
        }
        if (node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.INTEGER) {
            return Optional.of(keep(key, integer(key, node, least, greatest)));
        }
        throw unexpected(key, word + " or an integer from " + least, node);
    }

    /** The section of a name; without keys if it was not given. */
    public Configuration section(String name) {
        Node node = given.entries().get(name);
        Node.Mapping below = switch (node) {
            case null -> new Node.Mapping(given.place(), new LinkedHashMap<>());
            case Node.Mapping mapping -> mapping;
            default -> throw unexpected(name, "a section with keys", node);
        };
        return keep(name, new Configuration(whole, section.section(name), pathOf(name), below));
    }

    /** The elements of a list of sections; none if it was not given. */
    public List<Configuration> sections(String name) {
        Node node = given.entries().get(name);
        Section element = section.section(name);
        List<Node> elements = switch (node) {
            case null -> List.of();
            case Node.Sequence list -> list.elements();
            default -> throw unexpected(name, "a list of sections", node);
        };
        var sections = new ArrayList<Configuration>();
        for (Node each : elements) {
            String place = pathOf(name) + "." + sections.size();
            if (!(each instanceof Node.Mapping mapping)) {
                throw each.place().refuse(place, expectedKeys(element) + ", got " + each.came());
            }
            sections.add(new Configuration(whole, element, place, mapping));
        }
        return keep(name, List.copyOf(sections));
    }

    /** Every key of an open section with its scalar as text, in the order given. */
    public SequencedMap<String, String> texts() {
        var texts = new LinkedHashMap<String, String>();
        given.entries().forEach((key, node) -> {
            if (!(node instanceof Node.Scalar(_, Node.Kind kind, String text)) || kind == Node.Kind.NOTHING) {
                throw unexpected(key, "a scalar", node);
            }
            texts.put(key, keep(key, text));
        });
        return texts;
    }

    /** Replaces what is kept of an open section: what its texts and their defaults come to. */
    public void keepTexts(SequencedMap<String, String> texts) {
        effective.clear();
        texts.forEach(this::keep);
    }

    /**
     * Refuses what was given but not read by any getter, here and below.
     *
     * @throws IllegalArgumentException if there is such a key
     */
    public void requireAllRead() {
        given.entries().forEach((key, node) -> {
            if (!effective.containsKey(key)) {
                throw node.place().refuse(pathOf(key), "expected no such key, since it has no effect here, got "
                        + node.came() + meaning(key));
            }
        });
        effective.values().forEach(value -> {
            switch (value) {
                case Configuration below -> below.requireAllRead();
                case List<?> list -> list.forEach(element -> {
                    if (element instanceof Configuration below) {
                        below.requireAllRead();
                    }
                });
                default -> {}
            }
        });
    }

    private String meaning(String key) {
        return section.keys().stream()
                .filter(setting -> setting.name().equals(key))
                .map(setting -> " (it is " + setting.meaning() + ")")
                .findFirst()
                .orElse("");
    }

    /** What has been read, defaults included, by dotted path, in the order of the section's keys. */
    public SequencedMap<String, Object> effective() {
        var flat = new LinkedHashMap<String, Object>();
        flatten("", tree(), flat);
        return flat;
    }

    private static void flatten(String path, Map<String, Object> tree, Map<String, Object> flat) {
        tree.forEach((key, value) -> {
            String below = path.isEmpty() ? key : path + "." + key;
            if (value instanceof Map<?, ?> map) {
                var typed = new LinkedHashMap<String, Object>();
                map.forEach((name, child) -> typed.put(Objects.toString(name), Objects.requireNonNull(child)));
                flatten(below, typed, flat);
            } else {
                flat.put(below, value);
            }
        });
    }

    /** What has been read, defaults included, as YAML that reads as the same. */
    public String toYaml() {
        try {
            return YAML.writeValueAsString(tree());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("YAML of a configuration", e);
        }
    }

    private SequencedMap<String, Object> tree() {
        var tree = new LinkedHashMap<String, Object>();
        List<String> names = section.form() == Section.Form.OPEN
                ? effective.keySet().stream().sorted().toList()
                : section.names();
        for (String name : names) {
            Object value = effective.get(name);
            Object plain = value == null ? null : plain(value);
            if (plain != null && !plain.equals(Map.of()) && !plain.equals(List.of())) {
                tree.put(name, plain);
            }
        }
        return tree;
    }

    private static Object plain(Object value) {
        return switch (value) {
            case Configuration below -> below.tree();
            case List<?> list -> list.stream().map(element -> plain(Objects.requireNonNull(element))).toList();
            default -> value;
        };
    }

    private <T> T keep(String key, T value) {
        effective.put(key, value);
        return value;
    }

    /** What was given for a key, or its default; null if there is neither. */
    private @Nullable Node node(String key) {
        Node fallback = fallback(key);
        return given.entries().getOrDefault(key, fallback);
    }

    private @Nullable Node fallback(String key) {
        return YamlText.read("default", false, section.key(key).fallback());
    }

    private IllegalArgumentException unexpected(String key, String expected, @Nullable Node node) {
        Place place = node == null ? given.place() : node.place();
        return place.refuse(pathOf(key), "expected " + expected + ", got " + (node == null ? "nothing" : node.came()));
    }
}
