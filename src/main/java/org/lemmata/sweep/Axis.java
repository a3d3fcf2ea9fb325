package org.lemmata.sweep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import org.lemmata.config.Node;
import org.lemmata.config.Place;
import org.lemmata.setting.ValueRange;

/**
 * An axis of a grid: each point assigns values to one key, or to several keys that change together.
 *
 * @param points the values by dotted path, in order; at least one
 */
record Axis(List<SequencedMap<String, Node>> points) {

    /** Limits the number of points of a grid, so that a product of mistyped ranges cannot fill the memory. */
    private static final int MAX_POINTS = 1_000_000;

    private static final String EXPECTED = "a list of values, or a range such as 1..4";

    Axis {
        points = List.copyOf(points);
    }

    /** The axes of a section whose leaves are lists or ranges: one axis per leaf, in order. */
    static List<Axis> crossed(String name, Node node) {
        return leaves(name, node).entrySet().stream()
                .map(leaf -> of(leaf.getKey(), name + "." + leaf.getKey(), leaf.getValue()))
                .toList();
    }

    /**
     * The single axis of a section whose leaves are lists of equal length; elements with the same index belong
     * together.
     */
    static Axis zipped(String name, Node node) {
        List<SequencedMap<String, Node>> points = new ArrayList<>();
        SequencedMap<String, Node> leaves = leaves(name, node);
        leaves.forEach((path, leaf) -> {
            List<Node> values = values(name + "." + path, leaf);
            if (points.isEmpty()) {
                values.forEach(value -> points.add(new LinkedHashMap<>()));
            }
            if (values.size() != points.size()) {
                throw leaf.refuse(
                        name + "." + path,
                        "expected as many values as " + leaves.firstEntry().getKey() + " has, " + points.size()
                                + ", got " + values.size());
            }
            for (int i = 0; i < values.size(); i++) {
                points.get(i).put(path, values.get(i));
            }
        });
        if (points.isEmpty()) {
            throw node.refuse(name, "expected keys with lists of values, got none");
        }
        return new Axis(points);
    }

    static Axis of(String path, String name, Node node) {
        return new Axis(values(name, node).stream()
                .map(value -> (SequencedMap<String, Node>) new LinkedHashMap<>(Map.of(path, value)))
                .toList());
    }

    /** The leaves of a section by their dotted paths; a list is a leaf. */
    static SequencedMap<String, Node> leaves(String name, Node node) {
        if (!(node instanceof Node.Mapping)) {
            throw node.unexpected(name, "keys, each with " + EXPECTED);
        }
        var leaves = new LinkedHashMap<String, Node>();
        collect("", node, leaves);
        return leaves;
    }

    /** {@code section} with each leaf of {@code other} put at its path. */
    static Node.Mapping over(Node.Mapping section, String name, Node other) {
        Node.Mapping changed = section;
        for (Map.Entry<String, Node> leaf : leaves(name, other).entrySet()) {
            changed = changed.put(leaf.getKey(), leaf.getValue());
        }
        return changed;
    }

    private static void collect(String path, Node node, Map<String, Node> leaves) {
        if (node instanceof Node.Mapping section) {
            String prefix = path.isEmpty() ? "" : path + ".";
            section.entries().forEach((key, value) -> collect(prefix + key, value, leaves));
        } else {
            leaves.put(path, node);
        }
    }

    private static boolean isRange(Node.Scalar scalar) {
        return scalar.kind() == Node.Kind.TEXT && ValueRange.isRange(scalar.text());
    }

    static List<Node> range(String name, Node.Scalar range) {
        return ValueRange.values(range.text(), expected -> range.unexpected(name, expected)).stream()
                .<Node>map(value -> value.scale() <= 0
                        ? new Node.Scalar(range.place(), Node.Kind.INTEGER, value.toPlainString())
                        : new Node.Scalar(range.place(), Node.Kind.REAL, value.toString()))
                .toList();
    }

    private static List<Node> values(String name, Node node) {
        List<Node> elements = switch (node) {
            case Node.Scalar scalar when isRange(scalar) -> List.of(scalar);
            case Node.Sequence list -> list.elements();
            default -> throw node.unexpected(name, EXPECTED);
        };
        var values = new ArrayList<Node>();
        for (Node element : elements) {
            if (element instanceof Node.Scalar scalar && isRange(scalar)) {
                values.addAll(range(name, scalar));
            } else if (element instanceof Node.Mapping) {
                throw element.unexpected(name, "values");
            } else {
                values.add(element);
            }
        }
        if (values.isEmpty()) {
            throw node.refuse(name, "expected at least one value, got an empty list");
        }
        return values;
    }

    /** All combinations of points, one from each axis; the last axis changes fastest. */
    static List<SequencedMap<String, Node>> product(List<Axis> axes, Place place) {
        List<SequencedMap<String, Node>> chosen = List.of(new LinkedHashMap<>());
        for (Axis axis : axes) {
            if ((long) chosen.size() * axis.points.size() > MAX_POINTS) {
                throw place.refuse("", "expected a grid of at most " + MAX_POINTS + " points, got more");
            }
            var longer = new ArrayList<SequencedMap<String, Node>>();
            for (SequencedMap<String, Node> before : chosen) {
                for (SequencedMap<String, Node> point : axis.points) {
                    var together = new LinkedHashMap<>(before);
                    point.forEach((path, value) -> {
                        if (together.put(path, value) != null) {
                            throw place.refuse(path, "expected one axis that changes it, got several");
                        }
                    });
                    longer.add(together);
                }
            }
            chosen = longer;
        }
        return chosen;
    }

    /** Whether a point has no value for a key, which then keeps the value of the base. */
    static boolean isNothing(Node value) {
        return value instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.NOTHING;
    }

    /** A value as text for tables: a list is {@code [a, b]}, a section in a list {@code {key: value}}. */
    static String text(Node node) {
        return switch (node) {
            case Node.Scalar scalar -> scalar.text();
            case Node.Sequence list ->
                list.elements().stream().map(Axis::text).collect(Collectors.joining(", ", "[", "]"));
            case Node.Mapping section ->
                section.entries().entrySet().stream()
                        .map(entry -> entry.getKey() + ": " + text(entry.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
        };
    }
}
