package org.lemmata.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoublePredicate;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The values of a {@link Section}, read with checks.
 *
 * <p>Every refusal is an {@link IllegalArgumentException} of one line: the file and line or the command line, the key's
 * path, what was expected and what came. What was read is kept, so that the effective configuration, defaults included,
 * can be written; and what was given but never read can be refused, since it would have no effect.
 */
public final class Configuration {

    private static final YAMLMapper YAML = YAMLMapper.builder(YAMLFactory.builder()
                    .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                    .disable(YAMLGenerator.Feature.SPLIT_LINES)
                    .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                    .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                    .build())
            .build();

    /** Defaults by their texts: a sweep reads the same ones thousands of times. */
    private static final Map<String, Optional<Node>> FALLBACKS = new ConcurrentHashMap<>();

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
        Node.Mapping root = mapping(file, section);
        for (Map.Entry<String, Path> own : files.entrySet()) {
            root = root.with(own.getKey(), mapping(own.getValue(), section.section(own.getKey())));
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
        return mapping(file, section);
    }

    /** The same of a text, which {@code source} names in messages. */
    public static Node.Mapping document(String source, String yaml, Section section) {
        return mapping(new Place(source, 0), yaml, section);
    }

    /** {@code root} with {@code dotted.path=value} in place of what it says; the last of several holds. */
    public static Node.Mapping overridden(Node.Mapping root, List<String> overrides) {
        return Overrides.apply(root, overrides);
    }

    private static Node.Mapping mapping(Path file, Section section) throws IOException {
        Place place = new Place(file.toString(), 0);
        return mapping(place, text(file, place), section);
    }

    private static Node.Mapping mapping(Place place, String yaml, Section section) {
        Node document = YamlText.read(place.source(), true, yaml);
        return switch (document) {
            case null -> throw place.refuse("", expectedKeys(section) + ", got an empty file");
            case Node.Mapping root -> new Node.Mapping(place, root.entries());
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
        return whole.section.paths().stream()
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
    public IllegalArgumentException refusal(String key, @Nullable String problem) {
        Node node = given.entries().get(key);
        return (node == null ? given : node).place().refuse(pathOf(key), problem == null ? "cannot be used" : problem);
    }

    /** The refusal of what this section holds. */
    public IllegalArgumentException refusal(@Nullable String problem) {
        return given.place().refuse(path, problem == null ? "cannot be used" : problem);
    }

    /** An integer within [minimum, maximum]. */
    public int integer(String key, int minimum, int maximum) {
        return keep(key, integer(key, node(key), minimum, maximum));
    }

    /** An integer within [minimum, maximum], or else {@code derived}. */
    public int integer(String key, int minimum, int maximum, IntSupplier derived) {
        Node node = given.entries().get(key);
        return keep(key, node == null ? derived.getAsInt() : integer(key, node, minimum, maximum));
    }

    private int integer(String key, @Nullable Node node, int minimum, int maximum) {
        if (node instanceof Node.Scalar(var _, Node.Kind kind, String text) && kind == Node.Kind.INTEGER) {
            try {
                int value = Integer.parseInt(text.replace("_", ""));
                if (value >= minimum && value <= maximum) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // Refused below, like a number out of range.
            }
        }
        throw unexpected(
                key,
                maximum == Integer.MAX_VALUE
                        ? "an integer from " + minimum
                        : "an integer from " + minimum + " to " + maximum,
                node);
    }

    /** Integers within [minimum, maximum], at least one and no two equal, or else {@code derived}. */
    public List<Integer> integers(String key, int minimum, int maximum, List<Integer> derived) {
        Node node = given.entries().get(key);
        if (node == null) {
            return keep(key, derived);
        }
        if (node instanceof Node.Sequence list && !list.elements().isEmpty()) {
            List<Integer> values = list.elements().stream()
                    .map(element -> integer(key, element, minimum, maximum))
                    .toList();
            if (values.stream().distinct().count() == values.size()) {
                return keep(key, values);
            }
        }
        throw unexpected(key, "a list of different integers", node);
    }

    /** A seed, any integer of 64 bits. */
    public long seed(String key) {
        Node node = node(key);
        if (node instanceof Node.Scalar(var _, Node.Kind kind, String text) && kind == Node.Kind.INTEGER) {
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

    /** A number from 0, or empty if it was not given. */
    public OptionalDouble notNegativeIfGiven(String key) {
        Node node = given.entries().get(key);
        return node == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(keep(key, real(key, node, "a number from 0", x -> x >= 0)));
    }

    /** A number, or else {@code derived}. */
    public double real(String key, double derived) {
        Node node = given.entries().get(key);
        return keep(key, node == null ? derived : real(key, node, "a number", x -> true));
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

    /** A number within [0, 1]. */
    public double share(String key) {
        return keep(key, real(key, node(key), "a number from 0 to 1", x -> x >= 0 && x <= 1));
    }

    /** As many numbers within [0, 1) as the key has by default. */
    public List<Double> fractions(String key) {
        Node node = node(key);
        int count =
                fallback(key) instanceof Node.Sequence list ? list.elements().size() : 0;
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
        if (node instanceof Node.Scalar(var _, Node.Kind kind, String text)
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
        if (node instanceof Node.Scalar(var _, Node.Kind kind, String text) && kind == Node.Kind.FLAG) {
            return text.equals("true");
        }
        throw unexpected(key, "true or false", node);
    }

    /** Empty for {@code word}, else true or false. */
    public Optional<Boolean> flagOr(String word, String key) {
        Node node = node(key);
        if (node instanceof Node.Scalar scalar && scalar.text().equals(word)) {
            keep(key, word);
            return Optional.empty();
        }
        if (node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.FLAG) {
            return Optional.of(keep(key, flag(key, node)));
        }
        throw unexpected(key, "true, false or " + word, node);
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
        if (node instanceof Node.Scalar(var _, Node.Kind kind, String text) && kind != Node.Kind.NOTHING) {
            return keep(key, text);
        }
        throw unexpected(key, expected, node);
    }

    /** The same, or else {@code derived}. */
    public String text(String key, String expected, String derived) {
        return isGiven(key) ? text(key, expected) : keep(key, derived);
    }

    /** Empty for {@code word}, which is also what holds if neither value nor default is there; else an integer. */
    public Optional<Integer> integerOr(String word, String key, int minimum, int maximum) {
        Node node = node(key);
        if (node == null || (node instanceof Node.Scalar scalar && scalar.text().equals(word))) {
            keep(key, word);
            return Optional.empty();
        }
        if (node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.INTEGER) {
            return Optional.of(keep(key, integer(key, node, minimum, maximum)));
        }
        throw unexpected(key, word + " or an integer from " + minimum, node);
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

    /** The sections of a section of names; none if it was not given. */
    public SortedMap<String, Configuration> named(String name) {
        Node node = given.entries().get(name);
        Section element = section.section(name);
        Map<String, Node> elements = switch (node) {
            case null -> Map.of();
            case Node.Mapping mapping -> mapping.entries();
            default -> throw unexpected(name, "a section with keys", node);
        };
        var sections = new TreeMap<String, Configuration>();
        elements.forEach((key, each) -> {
            String place = pathOf(name) + "." + key;
            Node.Mapping below = switch (each) {
                case Node.Mapping mapping -> mapping;
                case Node.Scalar scalar
                when scalar.kind() != Node.Kind.NOTHING ->
                    new Node.Mapping(
                            scalar.place(),
                            new LinkedHashMap<>(Map.of(element.names().getFirst(), scalar)));
                default -> throw each.place().refuse(place, expectedKeys(element) + ", got " + each.came());
            };
            sections.put(key, new Configuration(whole, element, place, below));
        });
        return keep(name, Collections.unmodifiableSortedMap(sections));
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
                                "expected no such key, since it has no effect here, got " + node.came() + meaning(key));
            }
        });
        effective.values().forEach(value -> {
            switch (value) {
                case Configuration below -> below.requireAllRead();
                case List<?> list ->
                    list.forEach(element -> {
                        if (element instanceof Configuration below) {
                            below.requireAllRead();
                        }
                    });
                case Map<?, ?> sections -> sections.values().forEach(below -> ((Configuration) below).requireAllRead());
                default -> {}
            }
        });
    }

    private String meaning(String key) {
        return section.keys().stream()
                .filter(setting -> setting.name().equals(key))
                .map(setting -> " (it is " + setting.meaning().replaceFirst("[;:].*", "") + ")")
                .findFirst()
                .orElse("");
    }

    /**
     * Every scalar that has been read, defaults included but those that are implied
     * ({@link org.lemmata.setting.Setting#implied}), as text by its dotted path, in the order of the section's keys.
     */
    public SequencedMap<String, String> effective() {
        var texts = new LinkedHashMap<String, String>();
        collectTexts("", tree(), texts);
        return texts;
    }

    /** The texts are those that {@link #toYaml} would write. */
    private static void collectTexts(String path, @Nullable Object value, Map<String, String> texts) {
        String prefix = path.isEmpty() ? "" : path + ".";
        switch (value) {
            case List<?> list -> {
                for (int i = 0; i < list.size(); i++) {
                    collectTexts(prefix + i, list.get(i), texts);
                }
            }
            case Map<?, ?> section -> section.forEach((key, below) -> collectTexts(prefix + key, below, texts));
            case null, default -> texts.put(path, String.valueOf(value));
        }
    }

    /** What has been read, defaults included but those that are implied, as YAML that reads as the same. */
    public String toYaml() {
        return toYaml(Set.of());
    }

    /** The same without some of the first keys. */
    public String toYaml(Set<String> without) {
        SequencedMap<String, Object> tree = tree();
        without.forEach(tree::remove);
        try {
            return YAML.writeValueAsString(tree) + "\n";
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
            if (plain != null && !plain.equals(Map.of()) && !plain.equals(List.of()) && !isImplied(name, plain)) {
                tree.put(name, plain);
            }
        }
        return tree;
    }

    /** Whether a value is that of a key which is not written where it has its default. */
    private boolean isImplied(String name, Object value) {
        return section.keys().stream()
                .filter(setting -> setting.name().equals(name) && setting.implied())
                .anyMatch(setting -> {
                    Node fallback = fallback(name);
                    Object unsaid = fallback == null ? null : plain(fallback);
                    if (unsaid instanceof Number a && value instanceof Number b) {
                        return new BigDecimal(a.toString()).compareTo(new BigDecimal(b.toString())) == 0;
                    }
                    return value.equals(unsaid);
                });
    }

    private static @Nullable Object plain(Object value) {
        return switch (value) {
            case Configuration below -> below.tree();
            case Node node -> plain(node);
            case List<?> list ->
                list.stream()
                        .map(element -> plain(Objects.requireNonNull(element)))
                        .toList();
            case Map<?, ?> sections -> {
                var plain = new LinkedHashMap<Object, Object>();
                sections.forEach((name, below) -> plain.put(name, plain(Objects.requireNonNull(below))));
                yield plain;
            }
            default -> value;
        };
    }

    private static @Nullable Object plain(Node node) {
        return switch (node) {
            case Node.Scalar scalar ->
                switch (scalar.kind()) {
                    case INTEGER -> number(scalar).toBigInteger();
                    case REAL -> Double.parseDouble(scalar.text().replace("_", ""));
                    case FLAG -> scalar.text().equals("true");
                    case TEXT -> scalar.text();
                    case NOTHING -> null;
                };
            case Node.Sequence list ->
                list.elements().stream().map(element -> plain(element)).toList();
            case Node.Mapping section -> {
                var plain = new LinkedHashMap<String, @Nullable Object>();
                section.entries().forEach((key, value) -> plain.put(key, plain(value)));
                yield plain;
            }
        };
    }

    /**
     * Where {@code file}, which {@link #toYaml} wrote, says something else than this configuration: the key, what the
     * file says and what stands here; empty if they say the same.
     *
     * @param free the keys whose values may differ
     */
    public Optional<String> difference(Path file, Set<String> free) throws IOException {
        Place place = new Place(file.toString(), 0);
        SequencedMap<String, Node.Scalar> before = scalars(YamlText.read(file.toString(), true, text(file, place)));
        SequencedMap<String, Node.Scalar> now = scalars(YamlText.read("", false, toYaml()));
        return Stream.concat(now.keySet().stream(), before.keySet().stream())
                .filter(key -> !free.contains(key) && !same(before.get(key), now.get(key)))
                .findFirst()
                .map(key ->
                        key + ": expected " + came(before.get(key)) + " as in " + file + ", got " + came(now.get(key)));
    }

    private static String came(Node.@Nullable Scalar scalar) {
        return scalar == null ? "nothing" : scalar.came();
    }

    private static boolean same(Node.@Nullable Scalar a, Node.@Nullable Scalar b) {
        if (a == null || b == null) {
            return false;
        }
        return a.text().equals(b.text())
                || (isNumber(a) && isNumber(b) && number(a).compareTo(number(b)) == 0);
    }

    private static BigDecimal number(Node.Scalar scalar) {
        return new BigDecimal(scalar.text().replace("_", ""));
    }

    private static boolean isNumber(Node.Scalar scalar) {
        return scalar.kind() == Node.Kind.INTEGER || scalar.kind() == Node.Kind.REAL;
    }

    /** Every scalar by its dotted path, in order. */
    private static SequencedMap<String, Node.Scalar> scalars(@Nullable Node document) {
        var scalars = new LinkedHashMap<String, Node.Scalar>();
        if (document != null) {
            collect("", document, scalars);
        }
        return scalars;
    }

    private static void collect(String path, Node node, Map<String, Node.Scalar> scalars) {
        String prefix = path.isEmpty() ? "" : path + ".";
        switch (node) {
            case Node.Scalar scalar -> scalars.put(path, scalar);
            case Node.Sequence list -> {
                for (int i = 0; i < list.elements().size(); i++) {
                    collect(prefix + i, list.elements().get(i), scalars);
                }
            }
            case Node.Mapping section ->
                section.entries().forEach((key, value) -> collect(prefix + key, value, scalars));
        }
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
        return FALLBACKS
                .computeIfAbsent(
                        section.key(key).fallback(), text -> Optional.ofNullable(YamlText.read("default", false, text)))
                .orElse(null);
    }

    private IllegalArgumentException unexpected(String key, String expected, @Nullable Node node) {
        Place place = node == null ? given.place() : node.place();
        return place.refuse(pathOf(key), "expected " + expected + ", got " + (node == null ? "nothing" : node.came()));
    }
}
