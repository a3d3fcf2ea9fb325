package org.lemmata.train;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;

/**
 * The parameters whose names match a glob, and what is different for them.
 *
 * @param names a glob over the names of parameters: {@code *} stands for any characters, dots among them, {@code ?} for
 *     one, <code>{a,b}</code> for either; {@code layer.*.query}, say
 * @param rate the learning rate in place of the optimizer's, or null
 * @param rateFactor what the learning rate is multiplied by
 * @param weightDecay the decay of all that match, vectors among them, in place of the optimizer's, or null
 * @param frozen whether they stay as they are
 */
public record ParameterGroup(
        String names,
        @Nullable Double rate,
        double rateFactor,
        @Nullable Double weightDecay,
        boolean frozen) {

    public ParameterGroup {
        matcher(names);
        requireNonNegative("rate", rate);
        requireNonNegative("rateFactor", rateFactor);
        requireNonNegative("weightDecay", weightDecay);
    }

    /** The group of the names that match, as yet with nothing different. */
    public static ParameterGroup of(String names) {
        return new ParameterGroup(names, null, 1, null, false);
    }

    /** The same with a learning rate of its own. */
    public ParameterGroup withRate(double rate) {
        return new ParameterGroup(names, rate, rateFactor, weightDecay, frozen);
    }

    /** The same with {@code rateFactor} times the learning rate. */
    public ParameterGroup withRateFactor(double rateFactor) {
        return new ParameterGroup(names, rate, rateFactor, weightDecay, frozen);
    }

    /** The same with a weight decay of its own. */
    public ParameterGroup withWeightDecay(double weightDecay) {
        return new ParameterGroup(names, rate, rateFactor, weightDecay, frozen);
    }

    /** The same, not trained. */
    public ParameterGroup freeze() {
        return new ParameterGroup(names, rate, rateFactor, weightDecay, true);
    }

    /** Whether the glob matches the name. */
    public boolean contains(String name) {
        return matcher(names).matches(Path.of(name));
    }

    private static PathMatcher matcher(String names) {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + names);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "names: expected a glob, got " + Refuse.quoted(names) + ": " + e.getDescription(), e);
        }
    }

    private static void requireNonNegative(String name, @Nullable Double value) {
        if (value != null && !(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(name + ": expected a finite number of at least 0, got " + value);
        }
    }
}
