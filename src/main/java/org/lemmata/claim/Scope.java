package org.lemmata.claim;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.lemmata.setting.Settings;

/**
 * The extent of a test: a budget, and the settings that override its defaults.
 *
 * @param settings of the claim, including the user's
 */
public record Scope(Budget budget, Settings settings) {

    /** The value for the budget; medium has the standard one. */
    public <T> T of(T quick, T standard, T full) {
        return budget.of(quick, standard, full);
    }

    /** The elements for the budget, after those of the smaller budgets. */
    public <T> List<T> growing(List<T> quick, List<T> standard, List<T> full) {
        return Stream.of(quick, standard, full)
                .limit(budget.of(1, 2, 3))
                .flatMap(List::stream)
                .toList();
    }

    /**
     * The cases of a budget; or, if the user gave one of the named settings, one case for each combination of their
     * values.
     *
     * @param made makes a case from single values of the settings
     */
    public <T> List<T> each(List<T> ofBudget, Function<Settings, T> made, String... names) {
        return settings.hasAny(names) ? settings.each(names).stream().map(made).toList() : ofBudget;
    }

    /**
     * The cases of a budget, which include those of smaller budgets; or, if the user gave one of the named settings,
     * one case for each combination of their values.
     *
     * @param names the settings for the first values of a case, separated by commas
     * @param made makes a case from its values
     * @param rows the cases of each budget: commas separate values, semicolons separate cases
     */
    public <T> List<T> cases(String names, Function<List<Double>, T> made, String... rows) {
        String[] each = names.split(", ");
        if (settings.hasAny(each)) {
            return settings.each(each).stream()
                    .map(one -> Stream.of(each).map(one::number).toList())
                    .map(made)
                    .toList();
        }
        return Stream.of(rows)
                .limit(budget.of(1, 2, 3))
                .filter(row -> !row.isEmpty())
                .flatMap(row -> Stream.of(row.split("; ")))
                .map(one -> Stream.of(one.split(",")).map(Double::valueOf).toList())
                .map(made)
                .toList();
    }

    /** The integers of a setting if the user gave it, otherwise those of the budget. */
    public List<Integer> integers(String name, List<Integer> ofBudget) {
        return settings.hasAny(name) ? settings.integers(name) : ofBudget;
    }

    /** The integer of a setting if the user gave it, otherwise that of the budget. */
    public int integer(String name, int ofBudget) {
        return settings.given(name).orElse(ofBudget);
    }

    /** The number of a setting. */
    public double number(String name) {
        return settings.number(name);
    }

    /** The numbers of a setting that takes several. */
    public List<Double> numbers(String name) {
        return settings.numbers(name);
    }

    /** The integer of a setting. */
    public int integer(String name) {
        return settings.integer(name);
    }

    /** The integers of a setting that takes several. */
    public List<Integer> integers(String name) {
        return settings.integers(name);
    }
}
