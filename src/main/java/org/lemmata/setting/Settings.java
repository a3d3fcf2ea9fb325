package org.lemmata.setting;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lemmata.argument.Refuse;

/**
 * The values given for a list of {@link Setting}s, read with checks: every refusal is an
 * {@link IllegalArgumentException} that names the setting, what was expected and what came.
 */
public final class Settings {

    private static final ValueType<Double> NUMBER = ValueType.number("a finite number", any -> true);

    private static final ValueType<List<Double>> NUMBERS =
            new ValueType<>("finite numbers between commas", false, text -> {
                List<Optional<Double>> numbers = Arrays.stream(text.split(",", -1))
                        .map(part -> NUMBER.read(part.strip()))
                        .toList();
                return numbers.stream().allMatch(Optional::isPresent)
                        ? Optional.of(
                                numbers.stream().map(Optional::orElseThrow).toList())
                        : Optional.empty();
            });

    private final List<Setting> known;
    private final Map<String, String> given;

    /**
     * @param known the settings there are
     * @param given name to value, as text
     * @throws IllegalArgumentException if a name is not known
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
    }

    /** Whether none was given. */
    public boolean isEmpty() {
        return given.isEmpty();
    }

    /** The text of a setting, or its fallback, or that of the setting it is the same as; empty if there is none. */
    public Optional<String> text(String name) {
        Setting setting = known.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no setting " + name));
        String text = given.getOrDefault(name, setting.fallback());
        if (text.isEmpty()) {
            return setting.sameAs().isEmpty() ? Optional.empty() : text(setting.sameAs());
        }
        return Optional.of(text);
    }

    /** The text of a setting that has to be given. */
    public String required(String name, String expected) {
        return required(name, ValueType.text(expected));
    }

    /** An integer within [minimum, maximum], or empty if the setting was not given and has no fallback. */
    public Optional<Integer> integer(String name, int minimum, int maximum) {
        return value(name, ValueType.integer(minimum, maximum));
    }

    /** An integer within [minimum, maximum] that has to be given. */
    public int requiredInteger(String name, int minimum, int maximum) {
        return required(name, ValueType.integer(minimum, maximum));
    }

    /** A seed, any integer of 64 bits. */
    public long seed(String name) {
        return required(name, ValueType.seed());
    }

    /** A finite number, or empty if the setting was not given and has no fallback. */
    public Optional<Double> real(String name) {
        return value(name, NUMBER);
    }

    /** A finite number that has to be given. */
    public double requiredReal(String name) {
        return required(name, NUMBER);
    }

    /** Finite numbers between commas, at least one. */
    public List<Double> reals(String name) {
        return required(name, NUMBERS);
    }

    /** "true" or "false". */
    public boolean flag(String name) {
        return required(name, ValueType.flag());
    }

    private <T> T required(String name, ValueType<T> type) {
        return value(name, type).orElseThrow(() -> refusal(name, type, "nothing"));
    }

    private <T> Optional<T> value(String name, ValueType<T> type) {
        return text(name).map(text -> type.read(text).orElseThrow(() -> refusal(name, type, Refuse.quoted(text))));
    }

    private static IllegalArgumentException refusal(String name, ValueType<?> type, String got) {
        return new IllegalArgumentException(name + ": expected " + type.expected() + ", got " + got);
    }
}
