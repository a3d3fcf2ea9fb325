package org.lemmata.sweep;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lemmata.argument.Refuse;
import org.lemmata.config.Node;

/**
 * A condition on cells: comparisons joined by {@code or}. Each side of a comparison is a key, a number, or a product of
 * keys and numbers; the right side of {@code ==} and {@code !=} may also be a word. Example: {@code model.layers * 16
 * <= model.width or model.positions.kind == none}.
 *
 * @param text the condition as it is written in the file
 * @param alternatives comparisons, at least one of which must hold
 */
record Condition(String text, List<Comparison> alternatives) {

    private static final String WHERE = "where";

    private static final Map<String, IntPredicate> RELATIONS = Map.of(
            "<", sign -> sign < 0,
            "<=", sign -> sign <= 0,
            "==", sign -> sign == 0,
            "!=", sign -> sign != 0,
            ">=", sign -> sign >= 0,
            ">", sign -> sign > 0);

    private static final Pattern COMPARISON = Pattern.compile("(\\S.*?)\\s*(<=|>=|==|!=|<|>)\\s*(.*\\S)");

    /** An exponent has at most four digits, so that products have exponents of 32 bits. */
    private static final Pattern NUMBER =
            Pattern.compile("[-+]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]{1,4})?");

    record Comparison(List<String> left, String relation, List<String> right) {}

    Condition {
        alternatives = List.copyOf(alternatives);
    }

    static Condition of(Node node) {
        if (!(node instanceof Node.Scalar scalar) || scalar.kind() != Node.Kind.TEXT) {
            throw node.unexpected(WHERE, "a comparison such as model.layers <= model.width");
        }
        List<Comparison> alternatives = Arrays.stream(scalar.text().split("\\s+or\\s+", -1))
                .map(part -> comparison(scalar, part.strip()))
                .toList();
        return new Condition(scalar.text(), alternatives);
    }

    private static Comparison comparison(Node.Scalar whole, String text) {
        Matcher parts = COMPARISON.matcher(text);
        if (!parts.matches()) {
            throw whole.unexpected(WHERE, "comparisons by <, <=, ==, !=, >= or >, joined by or");
        }
        return new Comparison(factors(parts.group(1)), parts.group(2), factors(parts.group(3)));
    }

    private static List<String> factors(String side) {
        return Arrays.stream(side.split("\\*", -1)).map(String::strip).toList();
    }

    /**
     * Whether the condition holds for the given values.
     *
     * @param values values by dotted path
     * @throws IllegalArgumentException if a side names a key without a value, or words are ordered or multiplied
     */
    boolean holds(Map<String, Node> values, Node where) {
        boolean some = false;
        for (Comparison comparison : alternatives) {
            // Every comparison is evaluated, so that a misspelt key in any of them is found.
            some |= holds(comparison, values, where);
        }
        return some;
    }

    private boolean holds(Comparison comparison, Map<String, Node> values, Node where) {
        boolean equality = comparison.relation.equals("==") || comparison.relation.equals("!=");
        String left = side(comparison.left, values, where, false);
        String right = side(comparison.right, values, where, equality);
        IntPredicate relation = RELATIONS.get(comparison.relation);
        if (relation == null) {
            throw new AssertionError(comparison.relation);
        }
        if (NUMBER.matcher(left).matches() && NUMBER.matcher(right).matches()) {
            return relation.test(new BigDecimal(left).compareTo(new BigDecimal(right)));
        }
        if (!equality) {
            throw refusal(
                    where,
                    "expected numbers on both sides of " + comparison.relation + ", got " + Refuse.quoted(left)
                            + " and " + Refuse.quoted(right));
        }
        return relation.test(left.equals(right) ? 0 : 1);
    }

    /** The value of a side as text: a number, or the value of a single key, or a word if {@code mayBeWord}. */
    private String side(List<String> factors, Map<String, Node> values, Node where, boolean mayBeWord) {
        List<String> texts = factors.stream()
                .map(factor -> value(factor, values, where, mayBeWord && factors.size() == 1))
                .toList();
        if (texts.size() == 1) {
            return texts.getFirst();
        }
        BigDecimal product = BigDecimal.ONE;
        for (String text : texts) {
            if (!NUMBER.matcher(text).matches()) {
                throw refusal(where, "expected numbers in a product, got " + Refuse.quoted(text));
            }
            product = product.multiply(new BigDecimal(text));
        }
        return product.toString();
    }

    private String value(String factor, Map<String, Node> values, Node where, boolean mayBeWord) {
        Node value = values.get(factor);
        if (value != null) {
            return value instanceof Node.Scalar(var _, Node.Kind kind, String text)
                            && (kind == Node.Kind.INTEGER || kind == Node.Kind.REAL)
                    ? text.replace("_", "")
                    : Axis.text(value);
        }
        // A word has no dots; a factor with a dot is a misspelt key.
        if (NUMBER.matcher(factor).matches() || (mayBeWord && factor.matches("[^.\\s]+"))) {
            return factor;
        }
        throw refusal(
                where,
                "expected a number, or a key that an axis or the base gives a value, got " + Refuse.quoted(factor));
    }

    private IllegalArgumentException refusal(Node where, String problem) {
        return where.place().refuse(WHERE, problem + " in " + Refuse.quoted(text));
    }
}
