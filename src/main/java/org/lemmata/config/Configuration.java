package org.lemmata.config;

import it.unimi.dsi.fastutil.ints.IntImmutableList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.argument.Suggestion;
import org.lemmata.setting.ValueType;

/**
 * The values of a {@link Section}, read with checks.
 *
 * <p>Every error is an {@link IllegalArgumentException} with a one-line message: the file and line or the command line,
 * the key's path, the expected value and the actual one. Values that were read are recorded, so that the effective
 * configuration can be written with its defaults. Given values that are never read would have no effect;
 * {@link #requireAllRead} rejects them.
 */
public final class Configuration {

    private final Section whole;
    private final boolean overridden;
    private final Section section;
    private final String path;
    private final Node.Mapping given;
    private final Map<String, Object> effective = new HashMap<>();

    private Configuration(Section whole, boolean overridden, Section section, String path, Node.Mapping given) {
        this.whole = whole;
        this.overridden = overridden;
        this.section = section;
        this.path = path;
        this.given = given;
        requireKnown();
    }

    /**
     * Reads a file and applies overrides.
     *
     * @param overrides {@code dotted.path=value}, with a YAML scalar or list as value; if several set one key, the last
     *     one counts
     * @throws IllegalArgumentException if the file is missing or not YAML, a key is not known, or an override has
     *     another form
     * @throws IOException if the file cannot be read
     */
    public static Configuration read(Path file, List<String> overrides, Section section) throws IOException {
        return read(file, Map.of(), overrides, section);
    }

    /**
     * Reads a file and applies overrides. Sections of the file may be replaced by sections in separate files.
     *
     * @param files the separate files by the name of their section
     */
    public static Configuration read(Path file, Map<String, Path> files, List<String> overrides, Section section)
            throws IOException {
        Node.Mapping root = document(file, section);
        for (Map.Entry<String, Path> own : files.entrySet()) {
            root = root.with(own.getKey(), document(own.getValue(), section.section(own.getKey())));
        }
        return new Configuration(section, !overrides.isEmpty(), section, "", overridden(root, overrides));
    }

    /** A view of {@code root} that allows the keys of {@code section}. */
    public static Configuration of(Node.Mapping root, Section section) {
        return new Configuration(section, false, section, "", root);
    }

    /** {@link #of} for a {@code root} with overrides; {@link #requireAllRead} then accepts unread keys of the file. */
    public static Configuration ofOverridden(Node.Mapping root, Section section) {
        return new Configuration(section, true, section, "", root);
    }

    /**
     * The content of a file, before its keys are checked.
     *
     * @throws IllegalArgumentException if the file is missing, not YAML or not a section
     * @throws IOException if the file cannot be read
     */
    public static Node.Mapping document(Path file, Section section) throws IOException {
        return document(file.toString(), YamlText.of(file), section);
    }

    /** The content of {@code yaml}, before its keys are checked; messages call it {@code source}. */
    public static Node.Mapping document(String source, String yaml, Section section) {
        return switch (YamlText.read(source, true, yaml)) {
            case null ->
                throw new Place(source, 0).refuse("", "expected " + section.expected() + ", got an empty file");
            case Node.Mapping root -> new Node.Mapping(new Place(source, 0), root.entries());
            case Node other -> throw other.unexpected("", section.expected());
        };
    }

    /**
     * {@code root} with overrides {@code dotted.path=value}; if several set one key, the last one counts.
     *
     * @throws IllegalArgumentException if an override has another form, or its path leads through a scalar or to a
     *     missing element of a list
     */
    public static Node.Mapping overridden(Node.Mapping root, List<String> overrides) {
        Node.Mapping changed = root;
        for (String override : overrides) {
            int sign = override.indexOf('=');
            String path = override.substring(0, Math.max(0, sign));
            if (!Node.Mapping.isPath(path)) {
                throw Place.COMMAND_LINE.refuse(
                        "", "expected key=value such as model.width=64, got " + Refuse.quoted(override));
            }
            changed = changed.put(path, override(path, override.substring(sign + 1)));
        }
        return changed;
    }

    private static Node override(String path, String text) {
        Node value;
        try {
            value = YamlText.read(Place.COMMAND_LINE.source(), false, text);
        } catch (IllegalArgumentException e) {
            throw Place.COMMAND_LINE.refuse(path, "expected a YAML scalar or list, got " + Refuse.quoted(text));
        }
        return switch (value) {
            case null -> throw Place.COMMAND_LINE.refuse(path, "expected a value after =, got nothing");
            case Node.Mapping mapping ->
                throw mapping.refuse(
                        path,
                        "expected a scalar or a list, got " + mapping.description() + "; give its keys one by one");
            default -> value;
        };
    }

    private void requireKnown() {
        if (section.form() == Section.Form.OPEN) {
            return;
        }
        List<String> names = section.names();
        given.entries().forEach((key, value) -> {
            if (!names.contains(key)) {
                String hint = Suggestion.of(key, names)
                        .map(this::pathOf)
                        .or(() -> whole.path(key))
                        .map(name -> "did you mean " + name + "?")
                        .orElse("expected one of " + String.join(", ", names));
                throw value.refuse(pathOf(key), "unknown, " + hint);
            }
        });
    }

    private String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** Whether a key or section was given, in the file or on the command line. */
    public boolean isGiven(String key) {
        return given.entries().containsKey(key);
    }

    /** An exception for the value of a key; {@code problem} names the expected value and the actual one. */
    public IllegalArgumentException refusal(String key, @Nullable String problem) {
        Node node = given.entries().get(key);
        return (node == null ? given : node).refuse(pathOf(key), problem == null ? "cannot be used" : problem);
    }

    /** Rejects the value of a key if {@code wrong}. */
    public void refuseWhen(boolean wrong, String key, String expected, Object got) {
        if (wrong) {
            throw refusal(key, "expected " + expected + ", got " + got);
        }
    }

    /**
     * Converts an exception that names an argument to one that names a key. An exception that already names its place
     * is returned unchanged.
     */
    public IllegalArgumentException refusal(String key, IllegalArgumentException cause) {
        return cause instanceof Place.Refusal
                ? cause
                : refusal(key, String.valueOf(cause.getMessage()).replaceFirst("^[a-zA-Z-]+: (?=expected )", ""));
    }

    /** The result of {@code made}. If {@code made} rejects an argument, the exception names the key. */
    public <T> T checked(String key, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw refusal(key, e);
        }
    }

    /** The result of {@code made}. If {@code made} rejects an argument, the exception names this section. */
    public <T> T checked(Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw refusal(e);
        }
    }

    /** An exception for this section with the message of {@code cause}. */
    public IllegalArgumentException refusal(IllegalArgumentException cause) {
        return cause instanceof Place.Refusal ? cause : refusal(cause.getMessage());
    }

    /** An exception for this section. */
    public IllegalArgumentException refusal(@Nullable String problem) {
        return given.refuse(path, problem == null ? "cannot be used" : problem);
    }

    public <T> T get(String key, ValueType<T> type) {
        return keep(key, value(key, node(key), type));
    }

    /** The value of a key, or {@code derived} if the key was not given. */
    public <T> T get(String key, ValueType<T> type, Supplier<T> derived) {
        Node node = given.entries().get(key);
        return keep(key, node == null ? derived.get() : value(key, node, type));
    }

    /** The value of a key; empty if the value is {@code word}, or if there is neither a value nor a default. */
    public <T> Optional<T> unless(String word, String key, ValueType<T> type) {
        Node node = node(key);
        if (node == null || (node instanceof Node.Scalar scalar && scalar.text().equals(word))) {
            keep(key, word);
            return Optional.empty();
        }
        boolean outOfRange = type.expected().startsWith("an integer")
                && node instanceof Node.Scalar scalar
                && scalar.kind() == Node.Kind.INTEGER;
        String expected = outOfRange ? type.expected() : type.expected().replace(" or ", ", ") + " or " + word;
        return Optional.of(keep(key, value(key, node, type.expecting(expected))));
    }

    /** An integer within [minimum, maximum]. */
    public int integer(String key, int minimum, int maximum) {
        return get(key, ValueType.integer(minimum, maximum));
    }

    /** Distinct integers within [minimum, maximum], at least one; {@code derived} if the key was not given. */
    public IntImmutableList integers(String key, int minimum, int maximum, int... derived) {
        Node node = given.entries().get(key);
        if (node == null) {
            return keep(key, IntImmutableList.of(derived));
        }
        if (node instanceof Node.Sequence list && !list.elements().isEmpty()) {
            ValueType<Integer> type = ValueType.integer(minimum, maximum);
            int[] values = list.elements().stream()
                    .mapToInt(element -> value(key, element, type))
                    .toArray();
            if (IntStream.of(values).distinct().count() == values.length) {
                return keep(key, IntImmutableList.of(values));
            }
        }
        throw unexpected(key, "a list of different integers", node);
    }

    /** A seed: any 64-bit integer. */
    public long seed(String key) {
        return get(key, ValueType.seed());
    }

    /** Numbers within [0, 1), as many as the default of the key has. */
    public List<Double> fractions(String key) {
        Node node = node(key);
        int count = section.fallback(key) instanceof Node.Sequence list
                ? list.elements().size()
                : 0;
        String expected = "a list of " + count + " numbers from 0 to below 1";
        if (node instanceof Node.Sequence list && list.elements().size() == count) {
            return keep(
                    key,
                    list.elements().stream()
                            .map(element -> value(key, element, ValueType.FRACTION.expecting(expected)))
                            .toList());
        }
        throw unexpected(key, expected, node);
    }

    public boolean flag(String key) {
        return get(key, ValueType.flag());
    }

    /** A constant of an enumeration, written in lower case with hyphens. */
    public <E extends Enum<E>> E choice(String key, Class<E> type) {
        return get(key, ValueType.choice(List.of(type.getEnumConstants())));
    }

    /** A nonempty text. A number or flag is read as its text. */
    public String text(String key, String expected) {
        return get(key, ValueType.text(expected));
    }

    /** Parses a scalar. A number in quotes is accepted only as a text. A number may contain underscores. */
    private <T> T value(String key, @Nullable Node node, ValueType<T> type) {
        if (!(node instanceof Node.Scalar(var place, Node.Kind kind, String text)) || kind == Node.Kind.NOTHING) {
            throw unexpected(key, type.expected(), node);
        }
        String plain = type.mayBeQuoted() ? text : text.replace("_", "");
        Optional<T> value = type.read(plain);
        boolean isText = kind == Node.Kind.TEXT && !type.mayBeQuoted();
        if (value.isPresent() && !isText) {
            return value.get();
        }
        boolean quoted = value.isPresent() && YamlText.isQuoted(text);
        throw place.refuse(
                pathOf(key),
                "expected " + type.expected(plain) + ", got " + node.description()
                        + (quoted ? "; leave out the quotes" : ""));
    }

    /** The node of a key as it was written; empty if the key was not given. */
    public Optional<Node> given(String key) {
        Node node = given.entries().get(key);
        if (node != null) {
            keep(key, node);
        }
        return Optional.ofNullable(node);
    }

    /** A subsection; it has no keys if it was not given. */
    public Configuration section(String name) {
        if (effective.get(name) instanceof Configuration read) {
            return read;
        }
        return keep(name, new Configuration(whole, overridden, section.section(name), pathOf(name), mapping(name)));
    }

    /** The elements of a list of sections; empty if it was not given. */
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
                throw each.unexpected(place, element.expected());
            }
            sections.add(new Configuration(whole, overridden, element, place, mapping));
        }
        return keep(name, List.copyOf(sections));
    }

    /** The subsections of a section of free names ({@link Section.Form#NAMED}), by name. */
    public SortedMap<String, Configuration> named(String name) {
        Section element = section.section(name);
        var sections = new TreeMap<String, Configuration>();
        mapping(name).entries().forEach((key, each) -> {
            String place = pathOf(name) + "." + key;
            Node.Mapping below = switch (each) {
                case Node.Mapping mapping -> mapping;
                case Node.Scalar scalar
                when scalar.kind() != Node.Kind.NOTHING ->
                    new Node.Mapping(
                            scalar.place(),
                            new LinkedHashMap<>(Map.of(element.names().getFirst(), scalar)));
                default -> throw each.unexpected(place, element.expected());
            };
            sections.put(key, new Configuration(whole, overridden, element, place, below));
        });
        return keep(name, Collections.unmodifiableSortedMap(sections));
    }

    private Node.Mapping mapping(String name) {
        Node node = given.entries().get(name);
        return switch (node) {
            case null -> Node.Mapping.empty(given.place());
            case Node.Mapping mapping -> mapping;
            default -> throw unexpected(name, "a section with keys", node);
        };
    }

    /** All keys of an open section with their scalars as text, in the order given. */
    public SequencedMap<String, String> texts() {
        var texts = new LinkedHashMap<String, String>();
        given.entries().forEach((key, node) -> {
            if (!(node instanceof Node.Scalar(var _, Node.Kind kind, String text)) || kind == Node.Kind.NOTHING) {
                throw unexpected(key, "a scalar", node);
            }
            texts.put(key, keep(key, text));
        });
        return texts;
    }

    /** Replaces the effective values of an open section with {@code texts}, which includes defaults. */
    public void keepTexts(SequencedMap<String, String> texts) {
        effective.clear();
        texts.forEach(this::keep);
    }

    /**
     * Rejects given keys that no getter has read, here and in sections below. With overrides, unread keys of the file
     * are accepted, because an override can change a choice but cannot remove keys.
     *
     * @throws IllegalArgumentException if there is such a key
     */
    public void requireAllRead() {
        given.entries().forEach((key, node) -> {
            boolean mayRest = overridden && !node.place().equals(Place.COMMAND_LINE);
            if (!effective.containsKey(key) && !mayRest) {
                throw node.refuse(
                        pathOf(key),
                        "expected no such key, since it has no effect here, got " + node.description()
                                + section.meaning(key));
            }
        });
        effective.values().stream().flatMap(EffectiveValues::sections).forEach(Configuration::requireAllRead);
    }

    /**
     * All scalars that have been read, as text, by dotted path in the order of the section's keys. Defaults are
     * included, except implied ones ({@link org.lemmata.setting.Setting#implied}).
     */
    public SequencedMap<String, String> effective() {
        return EffectiveValues.texts(tree());
    }

    /** YAML of all values that have been read, with defaults except implied ones; reading it gives the same values. */
    public String toYaml() {
        return toYaml(Set.of());
    }

    /** {@link #toYaml()} without some keys or sections of the first level. */
    public String toYaml(Set<String> without) {
        SequencedMap<String, Object> tree = tree();
        without.forEach(tree::remove);
        return EffectiveValues.yaml(tree);
    }

    SequencedMap<String, Object> tree() {
        return EffectiveValues.tree(section, effective);
    }

    /**
     * The first difference from {@code file}, a file that {@link #toYaml} wrote: the key and both values. Empty if
     * there is none.
     *
     * @param ignored the keys whose values may differ
     */
    public Optional<String> difference(Path file, Set<String> ignored) throws IOException {
        return EffectiveValues.difference(file, toYaml(), ignored);
    }

    private <T> T keep(String key, T value) {
        effective.put(key, value);
        return value;
    }

    private @Nullable Node node(String key) {
        return given.entries().getOrDefault(key, section.fallback(key));
    }

    private IllegalArgumentException unexpected(String key, String expected, @Nullable Node node) {
        return node == null
                ? given.refuse(pathOf(key), "expected " + expected + ", got nothing")
                : node.unexpected(pathOf(key), expected);
    }
}
