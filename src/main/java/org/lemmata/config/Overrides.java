package org.lemmata.config;

import java.util.ArrayList;
import java.util.List;
import org.lemmata.argument.Refuse;

/** Overrides of a file's values, given as {@code dotted.path=value} with a YAML scalar or list as value. */
final class Overrides {

    private Overrides() {}

    /**
     * Applies the overrides in order; if several set one key, the last one counts.
     *
     * @throws IllegalArgumentException if an override has another form, or its path leads through a scalar or to a
     *     missing element of a list
     */
    static Node.Mapping apply(Node.Mapping root, List<String> overrides) {
        Node.Mapping changed = root;
        for (String override : overrides) {
            int sign = override.indexOf('=');
            List<String> path = sign < 0 ? List.of() : keys(override.substring(0, sign));
            if (path.isEmpty()) {
                throw Place.COMMAND_LINE.refuse(
                        "", "expected key=value such as model.width=64, got " + Refuse.quoted(override));
            }
            Node value = value(override.substring(0, sign), override.substring(sign + 1));
            changed = (Node.Mapping) put(changed, path, 0, value);
        }
        return changed;
    }

    static Node.Mapping put(Node.Mapping root, String path, Node value) {
        List<String> keys = keys(path);
        if (keys.isEmpty()) {
            throw value.refuse(path, "expected a dotted path such as model.width");
        }
        return (Node.Mapping) put(root, keys, 0, value);
    }

    /** The keys of a dotted path; empty if any key is empty. */
    private static List<String> keys(String path) {
        var keys = new ArrayList<String>();
        int start = 0;
        for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', start)) {
            keys.add(path.substring(start, dot));
            start = dot + 1;
        }
        keys.add(path.substring(start));
        return keys.stream().anyMatch(String::isBlank) ? List.of() : keys;
    }

    private static Node value(String path, String text) {
        Node value;
        try {
            value = YamlText.read(Place.COMMAND_LINE.source(), false, text);
        } catch (IllegalArgumentException e) {
            throw Place.COMMAND_LINE.refuse(path, "expected a YAML scalar or list, got " + Refuse.quoted(text));
        }
        return switch (value) {
            case null -> throw Place.COMMAND_LINE.refuse(path, "expected a value after =, got nothing");
            case Node.Mapping mapping ->
                throw Place.COMMAND_LINE.refuse(
                        path,
                        "expected a scalar or a list, got " + mapping.description() + "; give its keys one by one");
            default -> value;
        };
    }

    /**
     * Puts {@code value} into {@code node} at the keys of {@code path} from {@code depth} on; creates missing sections.
     */
    private static Node put(Node node, List<String> path, int depth, Node value) {
        if (depth == path.size()) {
            return value;
        }
        String key = path.get(depth);
        return switch (node) {
            case Node.Mapping section -> {
                Node child = section.entries().get(key);
                Node below = child == null ? Node.Mapping.empty(value.place()) : child;
                yield section.with(key, put(below, path, depth + 1, value));
            }
            case Node.Sequence list -> {
                int index = index(list, path, depth, value.place());
                var elements = new ArrayList<>(list.elements());
                elements.set(index, put(elements.get(index), path, depth + 1, value));
                yield new Node.Sequence(list.place(), elements);
            }
            case Node.Scalar scalar ->
                throw value.refuse(
                        String.join(".", path),
                        "expected a section at " + String.join(".", path.subList(0, depth)) + ", got "
                                + scalar.description());
        };
    }

    /** Whether a key is the number of an element, counted from 0. */
    static boolean isIndex(String key, Node.Sequence list) {
        return key.matches("[0-9]{1,9}")
                && Integer.parseInt(key) < list.elements().size();
    }

    private static int index(Node.Sequence list, List<String> path, int depth, Place place) {
        String key = path.get(depth);
        if (isIndex(key, list)) {
            return Integer.parseInt(key);
        }
        throw place.refuse(
                String.join(".", path),
                "expected one of the " + list.elements().size() + " elements of "
                        + String.join(".", path.subList(0, depth)) + ", counted from 0, got " + Refuse.quoted(key));
    }
}
