package org.lemmata.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.setting.ValueType;

/** The values of a configuration that were read, as plain objects, as texts and as YAML. */
final class EffectiveValues {

    private static final YAMLMapper YAML = YAMLMapper.builder(YAMLFactory.builder()
                    .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                    .disable(YAMLGenerator.Feature.SPLIT_LINES)
                    .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                    .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                    .build())
            .build();

    private EffectiveValues() {}

    /** The values read from a section, as plain objects, in the order of its keys, without implied defaults. */
    static SequencedMap<String, Object> tree(Section section, Map<String, Object> effective) {
        var tree = new LinkedHashMap<String, Object>();
        List<String> names = section.form() == Section.Form.OPEN
                ? effective.keySet().stream().sorted().toList()
                : section.names();
        for (String name : names) {
            Object value = effective.get(name);
            Object plain = value == null ? null : plain(value);
            if (plain != null
                    && !plain.equals(Map.of())
                    && !plain.equals(List.of())
                    && !isImplied(section, name, plain)) {
                tree.put(name, plain);
            }
        }
        return tree;
    }

    /** Whether a value is the default of an implied key and therefore not written. */
    private static boolean isImplied(Section section, String name, Object value) {
        if (section.keys().stream().noneMatch(setting -> setting.name().equals(name) && setting.implied())) {
            return false;
        }
        Node fallback = section.fallback(name);
        Object unsaid = fallback == null ? null : plain(fallback);
        return (unsaid instanceof Number a && value instanceof Number b)
                ? new BigDecimal(a.toString()).compareTo(new BigDecimal(b.toString())) == 0
                : value.equals(unsaid);
    }

    /** All scalars of a tree by dotted path, with the texts that {@link #yaml} writes. */
    static SequencedMap<String, String> texts(Map<String, Object> tree) {
        var texts = new LinkedHashMap<String, String>();
        collect("", tree, (path, value) -> texts.put(path, String.valueOf(value)));
        return texts;
    }

    static Stream<Configuration> sections(Object value) {
        return switch (value) {
            case Configuration below -> Stream.of(below);
            case List<?> list ->
                list.stream().filter(Configuration.class::isInstance).map(Configuration.class::cast);
            case Map<?, ?> named -> named.values().stream().map(Configuration.class::cast);
            default -> Stream.empty();
        };
    }

    static String yaml(Map<String, Object> tree) {
        try {
            return YAML.writeValueAsString(tree) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("YAML of a configuration", e);
        }
    }

    static @Nullable Object plain(Object value) {
        return switch (value) {
            case Configuration below -> below.tree();
            case Enum<?> constant -> ValueType.word(constant);
            case Node.Scalar scalar ->
                switch (scalar.kind()) {
                    case INTEGER -> number(scalar).toBigInteger();
                    case REAL -> Double.parseDouble(scalar.text().replace("_", ""));
                    case FLAG -> scalar.text().equals("true");
                    case TEXT -> scalar.text();
                    case NOTHING -> null;
                };
            case Node.Sequence list -> plain(list.elements());
            case Node.Mapping section -> plain(section.entries());
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

    /** Like {@link Configuration#difference}, for the configuration {@code yaml}. */
    static Optional<String> difference(Path file, String yaml, Set<String> ignored) throws IOException {
        SequencedMap<String, Node.Scalar> before = scalars(YamlText.read(file.toString(), true, YamlText.of(file)));
        SequencedMap<String, Node.Scalar> now = scalars(YamlText.read("", false, yaml));
        return Stream.concat(now.keySet().stream(), before.keySet().stream())
                .filter(key -> !ignored.contains(key) && !same(before.get(key), now.get(key)))
                .findFirst()
                .map(key -> key + ": expected " + description(before.get(key)) + " as in " + file + ", got "
                        + description(now.get(key)));
    }

    private static String description(Node.@Nullable Scalar scalar) {
        return scalar == null ? "nothing" : scalar.description();
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

    private static SequencedMap<String, Node.Scalar> scalars(@Nullable Node document) {
        var scalars = new LinkedHashMap<String, Node.Scalar>();
        if (document != null) {
            collect("", document, (path, scalar) -> scalars.put(path, (Node.Scalar) Objects.requireNonNull(scalar)));
        }
        return scalars;
    }

    /** Calls {@code leaf} with the dotted path and value of each scalar in a node or a plain tree. */
    private static void collect(String path, @Nullable Object value, BiConsumer<String, @Nullable Object> leaf) {
        String prefix = path.isEmpty() ? "" : path + ".";
        switch (value) {
            case Node.Sequence list -> collect(path, list.elements(), leaf);
            case Node.Mapping section -> collect(path, section.entries(), leaf);
            case List<?> list -> {
                for (int i = 0; i < list.size(); i++) {
                    collect(prefix + i, list.get(i), leaf);
                }
            }
            case Map<?, ?> section -> section.forEach((key, below) -> collect(prefix + key, below, leaf));
            case null, default -> leaf.accept(path, value);
        }
    }
}
