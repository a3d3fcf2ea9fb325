package org.lemmata.claim;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.lemmata.setting.Settings;

/**
 * How far a claim is tested: as far as a budget goes, but for what a user sets.
 *
 * @param settings of the claim, those that a user gave among them
 */
public record Scope(Budget budget, Settings settings) {

    /** What a budget has of something. */
    public <T> T of(T quick, T standard, T full) {
        return budget.of(quick, standard, full);
    }

    /** What a budget has besides all that smaller ones have. */
    public <T> List<T> growing(List<T> quick, List<T> standard, List<T> full) {
        return Stream.of(quick, standard, full)
                .limit(budget.of(1, 2, 3))
                .flatMap(List::stream)
                .toList();
    }

    /**
     * What is tested at a budget; or, where one of some settings is given, what is made of each combination of them.
     *
     * @param made reads them, each one number
     */
    public <T> List<T> each(List<T> ofBudget, Function<Settings, T> made, String... names) {
        return settings.hasAny(names) ? settings.each(names).stream().map(made).toList() : ofBudget;
    }

    /**
     * The cases of a budget, which has those of smaller ones, too; or, where one of some settings is given, each
     * combination of these.
     *
     * @param names the settings that the first values of a case are, between commas
     * @param made reads the values of a case
     * @param rows of each budget: values between commas, cases between semicolons
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

    /** The integers of a setting, or those of the budget. */
    public List<Integer> integers(String name, List<Integer> ofBudget) {
        return settings.hasAny(name) ? settings.integers(name) : ofBudget;
    }

    /** The one integer of a setting, or that of the budget. */
    public int integer(String name, int ofBudget) {
        return settings.given(name).orElse(ofBudget);
    }

    /** The one number of a setting. */
    public double number(String name) {
        return settings.number(name);
    }

    /** The numbers of a setting that may be several. */
    public List<Double> numbers(String name) {
        return settings.numbers(name);
    }

    /** The one integer of a setting. */
    public int integer(String name) {
        return settings.integer(name);
    }

    /** The integers of a setting that may be several. */
    public List<Integer> integers(String name) {
        return settings.integers(name);
    }
}
