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
import org.lemmata.argument.Suggestion;
import org.lemmata.setting.ValueType;

/**
 * The values of a {@link Section}, read with checks.
 *
 * <p>Every refusal is an {@link IllegalArgumentException} of one line: the file and line or the command line, the key's
 * path, what was expected and what came. What was read is kept, so that the effective configuration, defaults included,
 * can be written; and what was given but never read can be refused, since it would have no effect.
 */
public final class Configuration {

    /** What the parts of one configuration share. */
    private record Whole(Section section, boolean overridden) {}

    private final Whole whole;
    private final Section section;
    private final String path;
    private final Node.Mapping given;
    private final Map<String, Object> effective = new HashMap<>();

    private Configuration(Whole whole, Section section, String path, Node.Mapping given) {
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
        return read(file, Map.of(), overrides, section);
    }

    /**
     * The same with some sections in files of their own, which stand in place of what {@code file} says of them.
     *
     * @param files by the name of the section
     */
    public static Configuration read(Path file, Map<String, Path> files, List<String> overrides, Section section)
            throws IOException {
        Node.Mapping root = document(file, section);
        for (Map.Entry<String, Path> own : files.entrySet()) {
            root = root.with(own.getKey(), document(own.getValue(), section.section(own.getKey())));
        }
        return new Configuration(
                new Whole(section, !overrides.isEmpty()), section, "", Overrides.apply(root, overrides));
    }

    /** The configuration that {@code root} holds, whose legal keys are those of {@code section}. */
    public static Configuration of(Node.Mapping root, Section section) {
        return new Configuration(new Whole(section, false), section, "", root);
    }

    /**
     * The same, made of a base that some values were put over: what the base says may be without effect, as where there
     * are overrides.
     */
    public static Configuration ofOverridden(Node.Mapping root, Section section) {
        return new Configuration(new Whole(section, true), section, "", root);
    }

    /**
     * What a file holds, its legal keys not yet checked.
     *
     * @throws IllegalArgumentException if the file is no YAML or holds no section
     * @throws IOException if the file cannot be read
     */
    public static Node.Mapping document(Path file, Section section) throws IOException {
        return document(file.toString(), YamlText.of(file), section);
    }

    /** The same of a text, which {@code source} names in messages. */
    public static Node.Mapping document(String source, String yaml, Section section) {
        return switch (YamlText.read(source, true, yaml)) {
            case null -> throw new Place(source, 0).refuse("", section.expected() + ", got an empty file");
            case Node.Mapping root -> new Node.Mapping(new Place(source, 0), root.entries());
            case Node other -> throw other.place().refuse("", section.expected() + ", got " + other.came());
        };
    }

    /** {@code root} with {@code dotted.path=value} in place of what it says; the last of several holds. */
    public static Node.Mapping overridden(Node.Mapping root, List<String> overrides) {
        return Overrides.apply(root, overrides);
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
                        .or(() -> whole.section.path(key))
                        .map(name -> "did you mean " + name + "?")
                        .orElse("expected one of " + String.join(", ", names));
                throw value.place().refuse(pathOf(key), "unknown, " + hint);
            }
        });
    }

    private String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }

    /** Whether a key or section was given, here or on the command line. */
    public boolean isGiven(String key) {
        return given.entries().containsKey(key);
    }

    /** The refusal of a key's value: {@code problem} says what was expected and what came. */
    public IllegalArgumentException refusal(String key, @Nullable String problem) {
        Node node = given.entries().get(key);
        return (node == null ? given : node).place().refuse(pathOf(key), problem == null ? "cannot be used" : problem);
    }

    /** The same by what was thrown, which names the argument, or more than that: the place. */
    public IllegalArgumentException refusal(String key, IllegalArgumentException cause) {
        return cause instanceof Place.Refusal
                ? cause
                : refusal(key, String.valueOf(cause.getMessage()).replaceFirst("^[a-zA-Z-]+: (?=expected )", ""));
    }

    /** What {@code made} returns; an argument that it rejects is a refusal of a key's value. */
    public <T> T checked(String key, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw refusal(key, e);
        }
    }

    /** The same with a refusal of what this section holds. */
    public <T> T checked(Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw refusal(e);
        }
    }

    /** The refusal of what this section holds by what was thrown. */
    public IllegalArgumentException refusal(IllegalArgumentException cause) {
        return cause instanceof Place.Refusal ? cause : refusal(cause.getMessage());
    }

    /** The refusal of what this section holds. */
    public IllegalArgumentException refusal(@Nullable String problem) {
        return given.place().refuse(path, problem == null ? "cannot be used" : problem);
    }

    /** The value of a key. */
    public <T> T get(String key, ValueType<T> type) {
        return keep(key, value(key, node(key), type));
    }

    /** The value of a key, or else {@code derived}. */
    public <T> T get(String key, ValueType<T> type, Supplier<T> derived) {
        Node node = given.entries().get(key);
        return keep(key, node == null ? derived.get() : value(key, node, type));
    }

    /** Empty for {@code word}, which is also what holds if neither value nor default is there. */
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

    /** Integers within [minimum, maximum], at least one and no two equal, or else {@code derived}. */
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

    /** A seed, any integer of 64 bits. */
    public long seed(String key) {
        return get(key, ValueType.seed());
    }

    /** As many numbers within [0, 1) as the key has by default. */
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

    /** true or false. */
    public boolean flag(String key) {
        return get(key, ValueType.flag());
    }

    /** One of an enumeration's constants, in lower case with hyphens. */
    public <E extends Enum<E>> E choice(String key, Class<E> type) {
        return get(key, ValueType.choice(List.of(type.getEnumConstants())));
    }

    /** A text that is not empty; a number or a flag is taken as it was written. */
    public String text(String key, String expected) {
        return get(key, ValueType.text(expected));
    }

    /** Quotes make a text of a number; a number may have underscores. */
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
                "expected " + type.expected(plain) + ", got " + node.came() + (quoted ? "; leave out the quotes" : ""));
    }

    /** What was given for a key, as it was written; empty if nothing was. */
    public Optional<Node> given(String key) {
        Node node = given.entries().get(key);
        if (node != null) {
            keep(key, node);
        }
        return Optional.ofNullable(node);
    }

    /** The section of a name; without keys if it was not given. */
    public Configuration section(String name) {
        if (effective.get(name) instanceof Configuration read) {
            return read;
        }
        return keep(name, new Configuration(whole, section.section(name), pathOf(name), mapping(name)));
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
                throw each.place().refuse(place, element.expected() + ", got " + each.came());
            }
            sections.add(new Configuration(whole, element, place, mapping));
        }
        return keep(name, List.copyOf(sections));
    }

    /** The sections of a section of names; none if it was not given. */
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
                default -> throw each.place().refuse(place, element.expected() + ", got " + each.came());
            };
            sections.put(key, new Configuration(whole, element, place, below));
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

    /** Every key of an open section with its scalar as text, in the order given. */
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

    /** Replaces what is kept of an open section: what its texts and their defaults come to. */
    public void keepTexts(SequencedMap<String, String> texts) {
        effective.clear();
        texts.forEach(this::keep);
    }

    /**
     * Refuses what was given but not read by any getter, here and below. Where there are overrides, what the file says
     * may be without effect: an override can choose otherwise, but take nothing back.
     *
     * @throws IllegalArgumentException if there is such a key
     */
    public void requireAllRead() {
        given.entries().forEach((key, node) -> {
            boolean mayRest = whole.overridden && !node.place().equals(Place.COMMAND_LINE);
            if (!effective.containsKey(key) && !mayRest) {
                throw node.place()
                        .refuse(
                                pathOf(key),
                                "expected no such key, since it has no effect here, got " + node.came()
                                        + section.meaning(key));
            }
        });
        effective.values().stream().flatMap(EffectiveValues::sections).forEach(Configuration::requireAllRead);
    }

    /**
     * Every scalar that has been read, defaults included but those that are implied
     * ({@link org.lemmata.setting.Setting#implied}), as text by its dotted path, in the order of the section's keys.
     */
    public SequencedMap<String, String> effective() {
        return EffectiveValues.texts(tree());
    }

    /** What has been read, defaults included but those that are implied, as YAML that reads as the same. */
    public String toYaml() {
        return toYaml(Set.of());
    }

    /** The same without some of the first keys. */
    public String toYaml(Set<String> without) {
        SequencedMap<String, Object> tree = tree();
        without.forEach(tree::remove);
        return EffectiveValues.yaml(tree);
    }

    /** What has been read, as plain objects. */
    SequencedMap<String, Object> tree() {
        return EffectiveValues.tree(section, effective);
    }

    /**
     * Where {@code file}, which {@link #toYaml} wrote, says something else than this configuration: the key, what the
     * file says and what stands here; empty if they say the same.
     *
     * @param free the keys whose values may differ
     */
    public Optional<String> difference(Path file, Set<String> free) throws IOException {
        return EffectiveValues.difference(file, toYaml(), free);
    }

    private <T> T keep(String key, T value) {
        effective.put(key, value);
        return value;
    }

    /** What was given for a key, or its default; null if there is neither. */
    private @Nullable Node node(String key) {
        return given.entries().getOrDefault(key, section.fallback(key));
    }

    private IllegalArgumentException unexpected(String key, String expected, @Nullable Node node) {
        Place place = node == null ? given.place() : node.place();
        return place.refuse(pathOf(key), "expected " + expected + ", got " + (node == null ? "nothing" : node.came()));
    }
}
