package org.lemmata.setting;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ranges of numbers as text: {@code 1..4} (1, 2, 3, 4), {@code 100..1000 by 100}, {@code 1e-4..1e-2 times 10}. The end
 * is included only if a step reaches it exactly. Decimal arithmetic avoids binary rounding errors.
 */
public final class ValueRange {

    /** An exponent has at most three digits, so that no value needs much memory. */
    private static final String NUMBER = "[-+]?(?:[0-9]+\\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]{1,3})?";

    private static final Pattern RANGE = Pattern.compile(
            "\\s*(" + NUMBER + ")\\s*\\.\\.\\s*(" + NUMBER + ")(?:\\s+(by|times)\\s+(" + NUMBER + "))?\\s*");

    /** Limits the number of values, so that a mistyped step cannot fill the memory. */
    private static final int MOST = 1_000_000;

    private ValueRange() {}

    /** Whether a text is written as a range. */
    public static boolean isRange(String text) {
        return text.contains("..");
    }

    /**
     * The numbers of a range.
     *
     * @param refusal creates the exception from the expected form; it is thrown if the text has another form, the step
     *     or factor does not lead to the end, or there are too many values
     */
    public static List<BigDecimal> values(String range, Function<String, IllegalArgumentException> refusal) {
        Matcher parts = RANGE.matcher(range);
        if (!parts.matches()) {
            throw refusal.apply("a range such as 1..4, 100..1000 by 100 or 1e-4..1e-2 times 10");
        }
        BigDecimal from = new BigDecimal(parts.group(1));
        BigDecimal to = new BigDecimal(parts.group(2));
        boolean geometric = "times".equals(parts.group(3));
        BigDecimal step = parts.group(4) == null ? BigDecimal.ONE : new BigDecimal(parts.group(4));
        int direction = to.compareTo(from) < 0 ? -1 : 1;
        boolean leadsToTheEnd = geometric
                ? from.signum() > 0 && step.signum() > 0 && step.compareTo(BigDecimal.ONE) == direction
                : step.signum() == direction;
        if (!leadsToTheEnd) {
            throw refusal.apply(
                    geometric ? "a positive start and a factor that leads to the end" : "a step that leads to the end");
        }
        var values = new ArrayList<BigDecimal>();
        for (BigDecimal value = from;
                value.compareTo(to) * direction <= 0;
                value = geometric ? value.multiply(step, MathContext.DECIMAL64) : value.add(step)) {
            if (values.size() == MOST) {
                throw refusal.apply("at most " + MOST + " values");
            }
            values.add(value.stripTrailingZeros());
        }
        return values;
    }
}
