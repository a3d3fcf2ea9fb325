package org.lemmata.sweep;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lemmata.argument.Refuse;
import org.lemmata.config.Node;

/**
 * A condition on a cell: comparisons joined by {@code or}. Each side of a comparison is a key, a number, or a product
 * of keys and numbers; the right side of {@code ==} and {@code !=} may also be a word. Example: {@code model.layers *
 * 16 <= model.width or model.positions.kind == none}.
 *
 * @param where the condition as it is written in the file
 * @param values the values of the cell by dotted path
 */
record Condition(Node.Scalar where, Map<String, Node> values) {

    private static final String WHERE = "where";

    private static final Pattern COMPARISON = Pattern.compile("(\\S.*?)\\s*(<=|>=|==|!=|<|>)\\s*(.*\\S)");

    /** An exponent has at most four digits, so that products have exponents of 32 bits. */
    private static final Pattern NUMBER =
            Pattern.compile("[-+]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]{1,4})?");

    /**
     * Whether a condition holds.
     *
     * @throws IllegalArgumentException if it has another form, a side names a key without a value, or words are ordered
     *     or multiplied
     */
    static boolean holds(Node node, Map<String, Node> values) {
        if (!(node instanceof Node.Scalar where) || where.kind() != Node.Kind.TEXT) {
            throw node.unexpected(WHERE, "a comparison such as model.layers <= model.width");
        }
        var condition = new Condition(where, values);
        List<Matcher> comparisons = Arrays.stream(where.text().split("\\s+or\\s+", -1))
                .map(part -> condition.comparison(part.strip()))
                .toList();
        boolean some = false;
        for (Matcher parts : comparisons) {
            // Every comparison is evaluated, so that a misspelt key in any of them is found.
            some |= condition.holds(parts.group(1), parts.group(2), parts.group(3));
        }
        return some;
    }

    private Matcher comparison(String text) {
        Matcher parts = COMPARISON.matcher(text);
        if (!parts.matches()) {
            throw where.unexpected(WHERE, "comparisons by <, <=, ==, !=, >= or >, joined by or");
        }
        return parts;
    }

    private boolean holds(String left, String relation, String right) {
        boolean equality = relation.equals("==") || relation.equals("!=");
        String a = side(left, false);
        String b = side(right, equality);
        int sign;
        if (NUMBER.matcher(a).matches() && NUMBER.matcher(b).matches()) {
            sign = new BigDecimal(a).compareTo(new BigDecimal(b));
        } else if (equality) {
            sign = a.equals(b) ? 0 : 1;
        } else {
            throw refusal("numbers on both sides of " + relation, Refuse.quoted(a) + " and " + Refuse.quoted(b));
        }
        return switch (relation) {
            case "<" -> sign < 0;
            case "<=" -> sign <= 0;
            case "==" -> sign == 0;
            case "!=" -> sign != 0;
            case ">=" -> sign >= 0;
            default -> sign > 0;
        };
    }

    /** The value of a side as text: a number, or the value of a single key, or a word if {@code mayBeWord}. */
    private String side(String side, boolean mayBeWord) {
        String[] factors = side.split("\\*", -1);
        List<String> texts = Arrays.stream(factors)
                .map(factor -> value(factor.strip(), mayBeWord && factors.length == 1))
                .toList();
        if (texts.size() == 1) {
            return texts.getFirst();
        }
        BigDecimal product = BigDecimal.ONE;
        for (String text : texts) {
            if (!NUMBER.matcher(text).matches()) {
                throw refusal("numbers in a product", Refuse.quoted(text));
            }
            product = product.multiply(new BigDecimal(text));
        }
        return product.toString();
    }

    private String value(String factor, boolean mayBeWord) {
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
        throw refusal("a number, or a key that an axis or the base gives a value", Refuse.quoted(factor));
    }

    private IllegalArgumentException refusal(String expected, String got) {
        return where.refuse(WHERE, "expected " + expected + ", got " + got + " in " + Refuse.quoted(where.text()));
    }
}
