package org.lemmata.train;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;

/**
 * Options for the parameters whose names match a glob.
 *
 * @param names a glob over the names of parameters: {@code *} matches any characters including dots, {@code ?} one
 *     character, <code>{a,b}</code> a or b; for example {@code layer.*.query}
 * @param rate the learning rate, or null for the rate of the optimizer
 * @param rateFactor factor of the learning rate
 * @param weightDecay the weight decay, also of vectors, or null for the decay of the optimizer
 * @param frozen whether the parameters are not trained
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

    public static ParameterGroup of(String names) {
        return new ParameterGroup(names, null, 1, null, false);
    }

    public ParameterGroup freeze() {
        return new ParameterGroup(names, rate, rateFactor, weightDecay, true);
    }

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
        boolean wrong = value != null && !(value >= 0 && value < Double.POSITIVE_INFINITY);
        Refuse.when(wrong, name, "a finite number of at least 0", String.valueOf(value));
    }
}
