package org.lemmata.setting;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;

/**
 * The user's values for a list of {@link Setting}s, with checks. Every error is an {@link IllegalArgumentException}
 * that names the setting, the expected value and the actual one.
 */
public final class Settings {

    private static final ValueType<Double> NUMBER = new ValueType<>(
            "a finite number",
            false,
            text -> Optional.of(NumberSet.number(text)).filter(Double::isFinite));

    private final List<Setting> known;
    private final Map<String, String> given;

    /**
     * @param known all settings
     * @param given the user's values by name, as text
     * @throws IllegalArgumentException if a name is not known, or a number is not allowed
     */
    public Settings(List<Setting> known, Map<String, String> given) {
        this.known = List.copyOf(known);
        this.given = Map.copyOf(given);
        List<String> names = known.stream().map(Setting::name).toList();
        for (String name : given.keySet()) {
            if (!names.contains(name)) {
                throw new IllegalArgumentException(
                        (name.isBlank() ? "name" : Refuse.shown(name)) + ": expected one of the settings "
                                + String.join(", ", names) + ", got " + Refuse.quoted(name));
            }
        }
        known.stream()
                .filter(setting -> setting.numbers() != null && given.containsKey(setting.name()))
                .forEach(setting -> numbers(setting.name()));
    }

    public boolean isEmpty() {
        return given.isEmpty();
    }

    /** Whether any of the named settings was given. */
    public boolean hasAny(String... names) {
        return Arrays.stream(names).anyMatch(given::containsKey);
    }

    private Setting known(String name) {
        return known.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no setting " + name));
    }

    /**
     * The given text of a setting, its default, or the text of the setting whose value is its default; empty if there
     * is none.
     */
    public Optional<String> text(String name) {
        Setting setting = known(name);
        String text = given.getOrDefault(name, setting.fallback());
        if (text.isEmpty()) {
            return setting.sameAs().isEmpty() ? Optional.empty() : text(setting.sameAs());
        }
        return Optional.of(text);
    }

    /** The text of a setting that must have a value, given or by default. */
    public String required(String name, String expected) {
        return required(name, ValueType.text(expected));
    }

    /** An integer within [minimum, maximum]; empty if the setting was not given and has no default. */
    public Optional<Integer> integer(String name, int minimum, int maximum) {
        return value(name, ValueType.integer(minimum, maximum));
    }

    /** An integer within [minimum, maximum] that must be given or have a default. */
    public int requiredInteger(String name, int minimum, int maximum) {
        return required(name, ValueType.integer(minimum, maximum));
    }

    /** A seed: any 64-bit integer. */
    public long seed(String name) {
        return required(name, ValueType.seed());
    }

    /** A finite number; empty if the setting was not given and has no default. */
    public Optional<Double> real(String name) {
        return value(name, NUMBER);
    }

    /** A finite number that must be given or have a default. */
    public double requiredReal(String name) {
        return required(name, NUMBER);
    }

    /** A list of finite numbers, separated by commas; at least one. */
    public List<Double> reals(String name) {
        String expected = "finite numbers between commas";
        return NumberSet.read(required(name, expected), name, expected);
    }

    /** The numbers of a setting whose value is a list; at least one. */
    public List<Double> numbers(String name) {
        NumberSet legal = Objects.requireNonNull(known(name).numbers());
        return legal.read(required(name, legal.text()), name);
    }

    /** The integers of a setting whose value is a list; at least one. */
    public List<Integer> integers(String name) {
        return numbers(name).stream().map(Double::intValue).toList();
    }

    public double number(String name) {
        List<Double> numbers = numbers(name);
        Refuse.when(numbers.size() > 1, name, "one number", numbers.size());
        return numbers.getFirst();
    }

    public int integer(String name) {
        return (int) number(name);
    }

    /** The integer of a setting; empty if it was not given. */
    public Optional<Integer> given(String name) {
        return hasAny(name) ? Optional.of(integer(name)) : Optional.empty();
    }

    /** Settings for all combinations of the numbers of the named settings. The last name changes fastest. */
    public List<Settings> each(String... names) {
        List<Settings> all = List.of(this);
        for (String name : names) {
            all = all.stream()
                    .flatMap(some -> numbers(name).stream().map(value -> some.with(name, NumberSet.shown(value))))
                    .toList();
        }
        return all;
    }

    private Settings with(String name, String value) {
        var changed = new HashMap<>(given);
        changed.put(name, value);
        return new Settings(known, changed);
    }

    /** {@code text} with the value of each setting in place of its {@code {name}}. */
    public String fill(String text) {
        String filled = text;
        for (Setting setting : known) {
            filled = filled.replace(
                    "{" + setting.name() + "}", text(setting.name()).orElse(""));
        }
        return filled;
    }

    /** Describes which numbers violate the tested statement's hypothesis; empty if none does. */
    public String unstated() {
        return known.stream()
                .filter(setting -> setting.stated() != null
                        && text(setting.name()).isPresent()
                        && !numbers(setting.name()).stream().allMatch(setting.stated()::contains))
                .map(setting -> setting.name() + " = " + text(setting.name()).orElse("") + ", stated for "
                        + setting.stated().text())
                .collect(Collectors.joining("; "));
    }

    /** The value of a flag, which is "true" or "false". */
    public boolean flag(String name) {
        return required(name, ValueType.flag());
    }

    private <T> T required(String name, ValueType<T> type) {
        return value(name, type).orElseThrow(() -> refusal(name, type.expected(), "nothing"));
    }

    private <T> Optional<T> value(String name, ValueType<T> type) {
        return text(name)
                .map(text ->
                        type.read(text).orElseThrow(() -> refusal(name, type.expected(text), Refuse.quoted(text))));
    }

    private static IllegalArgumentException refusal(String name, String expected, String got) {
        return new IllegalArgumentException(name + ": expected " + expected + ", got " + got);
    }
}
