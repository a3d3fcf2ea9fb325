package org.lemmata.claim;

import java.util.List;
import org.lemmata.setting.Settings;

/**
 * The extent of a test: a budget, and the settings that override its defaults.
 *
 * @param settings the settings of the claim, including the user's
 */
public record Scope(Budget budget, Settings settings) {

    /** The value for the budget; the medium budget uses the standard value. */
    public <T> T of(T quick, T standard, T full) {
        return budget.of(quick, standard, full);
    }

    /** The integers of a setting if the user gave it, otherwise the budget's integers. */
    public List<Integer> integers(String name, List<Integer> ofBudget) {
        return settings.hasAny(name) ? settings.integers(name) : ofBudget;
    }

    /** The integer of a setting if the user gave it, otherwise the budget's integer. */
    public int integer(String name, int ofBudget) {
        return settings.given(name).orElse(ofBudget);
    }

    public double number(String name) {
        return settings.number(name);
    }

    /** The numbers of a setting whose value is a list. */
    public List<Double> numbers(String name) {
        return settings.numbers(name);
    }

    public int integer(String name) {
        return settings.integer(name);
    }

    /** The integers of a setting whose value is a list. */
    public List<Integer> integers(String name) {
        return settings.integers(name);
    }
}
