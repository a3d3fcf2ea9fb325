package org.lemmata.sweep;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lemmata.config.Node;

/**
 * A range of numbers in a text: {@code 1..4} (1, 2, 3, 4), {@code 100..1000 by 100}, {@code 1e-4..1e-2 times 10}. The
 * end belongs to it if a step meets it. The arithmetic is decimal: no value carries a rounding error of binary steps.
 */
final class ValueRange {

    private static final String NUMBER = "[-+]?(?:[0-9]+\\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]+)?";

    private static final Pattern RANGE = Pattern.compile(
            "\\s*(" + NUMBER + ")\\s*\\.\\.\\s*(" + NUMBER + ")(?:\\s+(by|times)\\s+(" + NUMBER + "))?\\s*");

    /** More values than an axis can sensibly have: a mistyped step must not fill the memory. */
    private static final int MOST = 1_000_000;

    private ValueRange() {}

    /** Whether a value is written as a range. */
    static boolean isRange(Node node) {
        return node instanceof Node.Scalar scalar
                && scalar.kind() == Node.Kind.TEXT
                && scalar.text().contains("..");
    }

    /**
     * The numbers of a range, at its place.
     *
     * @throws IllegalArgumentException if it is not of the form, or does not come to its end
     */
    static List<Node> values(String path, Node.Scalar range) {
        Matcher parts = RANGE.matcher(range.text());
        if (!parts.matches()) {
            throw range.place()
                    .refuse(
                            path,
                            "expected a range such as 1..4, 100..1000 by 100 or 1e-4..1e-2 times 10, got "
                                    + range.came());
        }
        BigDecimal from = new BigDecimal(parts.group(1));
        BigDecimal to = new BigDecimal(parts.group(2));
        boolean geometric = "times".equals(parts.group(3));
        BigDecimal step = parts.group(4) == null ? BigDecimal.ONE : new BigDecimal(parts.group(4));
        requireProgress(path, range, from, to, step, geometric);
        var values = new ArrayList<Node>();
        for (BigDecimal value = from; isWithin(value, from, to); value = next(value, step, geometric)) {
            if (values.size() == MOST) {
                throw range.place().refuse(path, "expected at most " + MOST + " values, got more in " + range.came());
            }
            values.add(number(range, value));
        }
        return values;
    }

    private static void requireProgress(
            String path, Node.Scalar range, BigDecimal from, BigDecimal to, BigDecimal step, boolean geometric) {
        boolean up = to.compareTo(from) >= 0;
        boolean fits = geometric
                ? from.signum() > 0
                        && step.signum() > 0
                        && step.compareTo(BigDecimal.ONE) != 0
                        && up == (step.compareTo(BigDecimal.ONE) > 0)
                : step.signum() == (up ? 1 : -1);
        if (!fits) {
            throw range.place()
                    .refuse(
                            path,
                            geometric
                                    ? "expected a positive start and a factor that leads to the end, got "
                                            + range.came()
                                    : "expected a step that leads to the end, got " + range.came());
        }
    }

    private static BigDecimal next(BigDecimal value, BigDecimal step, boolean geometric) {
        return geometric ? value.multiply(step, MathContext.DECIMAL64) : value.add(step);
    }

    private static boolean isWithin(BigDecimal value, BigDecimal from, BigDecimal to) {
        return from.compareTo(to) <= 0 ? value.compareTo(to) <= 0 : value.compareTo(to) >= 0;
    }

    private static Node number(Node.Scalar range, BigDecimal value) {
        BigDecimal plain = value.stripTrailingZeros();
        return plain.scale() <= 0
                ? new Node.Scalar(range.place(), Node.Kind.INTEGER, plain.toPlainString())
                : new Node.Scalar(range.place(), Node.Kind.REAL, plain.toString());
    }
}
