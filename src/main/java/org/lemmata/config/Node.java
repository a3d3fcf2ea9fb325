package org.lemmata.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;

/** A value of a YAML document as it was written, with its place. */
public sealed interface Node {

    Place place();

    /** A description of the value, for messages after "got". */
    String description();

    /** An exception for this value at a key; {@code problem} names the expected and the actual value. */
    default IllegalArgumentException refuse(String path, String problem) {
        return place().refuse(path, problem);
    }

    /** An exception for this value at a key, where something else was expected. */
    default IllegalArgumentException unexpected(String path, String expected) {
        return refuse(path, "expected " + expected + ", got " + description());
    }

    /** {@code node} with {@code value} at the keys of {@code path} from {@code depth} on; creates missing sections. */
    private static Node put(Node node, List<String> path, int depth, Node value) {
        if (depth == path.size()) {
            return value;
        }
        String key = path.get(depth);
        return switch (node) {
            case Mapping section -> {
                Node child = section.entries().getOrDefault(key, Mapping.empty(value.place()));
                yield section.with(key, put(child, path, depth + 1, value));
            }
            case Sequence list
            when isIndex(key, list) -> {
                var elements = new ArrayList<>(list.elements());
                int index = Integer.parseInt(key);
                elements.set(index, put(elements.get(index), path, depth + 1, value));
                yield new Sequence(list.place(), elements);
            }
            case Sequence list ->
                throw value.refuse(
                        String.join(".", path),
                        "expected one of the " + list.elements().size() + " elements of "
                                + String.join(".", path.subList(0, depth)) + ", counted from 0, got "
                                + Refuse.quoted(key));
            case Scalar scalar ->
                throw value.refuse(
                        String.join(".", path),
                        "expected a section at " + String.join(".", path.subList(0, depth)) + ", got "
                                + scalar.description());
        };
    }

    private static boolean isIndex(String key, Sequence list) {
        return key.matches("[0-9]{1,9}")
                && Integer.parseInt(key) < list.elements().size();
    }

    enum Kind {
        INTEGER,
        REAL,
        FLAG,
        TEXT,
        NOTHING
    }

    /**
     * A number, a flag, a text, or nothing.
     *
     * @param text the text as it was written, without quotes
     */
    record Scalar(Place place, Kind kind, String text) implements Node {

        @Override
        public String description() {
            if (kind == Kind.NOTHING) {
                return "nothing; leave the key out for its default";
            }
            return kind == Kind.TEXT ? Refuse.quoted(text) : Refuse.shown(text);
        }
    }

    record Sequence(Place place, List<Node> elements) implements Node {

        public Sequence {
            elements = List.copyOf(elements);
        }

        @Override
        public String description() {
            return elements.isEmpty() ? "an empty list" : "a list of " + elements.size();
        }
    }

    /** Keys with values, in the order in which they were written. */
    record Mapping(Place place, SequencedMap<String, Node> entries) implements Node {

        public Mapping {
            entries = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(entries));
        }

        @Override
        public String description() {
            return entries.isEmpty()
                    ? "an empty section"
                    : "a section with the key "
                            + Refuse.shown(entries.firstEntry().getKey());
        }

        public static Mapping empty(Place place) {
            return new Mapping(place, new LinkedHashMap<>());
        }

        /**
         * This section with {@code value} at a dotted path; elements of lists are counted from 0. Missing sections are
         * created.
         *
         * @throws IllegalArgumentException if the path has a blank key, or leads through a scalar or to a missing
         *     element of a list
         */
        public Mapping put(String path, Node value) {
            if (!isPath(path)) {
                throw value.refuse(path, "expected a dotted path such as model.width");
            }
            return (Mapping) Node.put(this, List.of(path.split("\\.", -1)), 0, value);
        }

        /** Whether no key of a dotted path is blank. */
        static boolean isPath(String path) {
            return Arrays.stream(path.split("\\.", -1)).noneMatch(String::isBlank);
        }

        /** The value at a dotted path, also within lists; null if there is none. */
        public @Nullable Node get(String path) {
            Node value = this;
            for (String key : path.split("\\.", -1)) {
                value = switch (value) {
                    case Mapping section -> section.entries.get(key);
                    case Sequence list when isIndex(key, list) -> list.elements.get(Integer.parseInt(key));
                    case null, default -> null;
                };
            }
            return value;
        }

        Mapping with(String key, Node value) {
            var changed = new LinkedHashMap<>(entries);
            changed.put(key, value);
            return new Mapping(place, changed);
        }
    }
}
