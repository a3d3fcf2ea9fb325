package org.lemmata.claim;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The cases of a claim's test. They are the cases of the budget and of all smaller budgets. If the user gave any of the
 * named settings, there is instead one case per combination of their values.
 *
 * @param names the names of the settings for the first values of a case
 * @param made creates a case from its values
 * @param rows the cases that the quick, standard and full budgets add: commas separate values, semicolons separate
 *     cases
 */
public record Cases<T>(List<String> names, Function<Row, T> made, List<String> rows) {

    public record Row(List<Double> values) {

        public double number(int i) {
            return values.get(i);
        }

        public int integer(int i) {
            return values.get(i).intValue();
        }

        /** The integer at an index; {@code otherwise} in a user's case, which has only the named settings. */
        public int integer(int i, int otherwise) {
            return i < values.size() ? integer(i) : otherwise;
        }
    }

    public static <T> Cases<T> of(String names, Function<Row, T> made, String... rows) {
        return new Cases<>(List.of(names.split(", ")), made, List.of(rows));
    }

    /** Whether the user gave any of the named settings. */
    public boolean areGiven(Scope scope) {
        return scope.settings().hasAny(names.toArray(String[]::new));
    }

    /** The cases of a scope: the user's cases or the budget's cases. */
    public List<T> in(Scope scope) {
        Stream<List<Double>> values = areGiven(scope)
                ? scope.settings().each(names.toArray(String[]::new)).stream()
                        .map(one -> names.stream().map(one::number).toList())
                : rows.stream()
                        .limit(scope.of(1, 2, 3))
                        .flatMap(row -> Stream.of(row.split("; ")))
                        .filter(row -> !row.isEmpty())
                        .map(row ->
                                Stream.of(row.split(",")).map(Double::valueOf).toList());
        return values.map(Row::new).map(made).toList();
    }

    /** The cases as text. */
    public String text(Scope scope) {
        return in(scope).stream().map(Object::toString).collect(Collectors.joining("; "));
    }
}
