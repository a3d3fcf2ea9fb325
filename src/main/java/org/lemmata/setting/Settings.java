package org.lemmata.setting;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The values given for a list of {@link Setting}s, read with checks: every refusal is an
 * {@link IllegalArgumentException} that names the setting, what was expected and what came.
 */
public final class Settings {

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
                        name + ": expected one of the settings " + String.join(", ", names) + ", got '" + name + "'");
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
        return text(name).orElseThrow(() -> refusal(name, expected, "nothing"));
    }

    /** An integer within [minimum, maximum], or empty if the setting was not given and has no fallback. */
    public Optional<Integer> integer(String name, int minimum, int maximum) {
        String expected = "an integer from " + minimum + " to " + maximum;
        return text(name).map(text -> {
            try {
                int value = Integer.parseInt(text);
                if (value >= minimum && value <= maximum) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // refused below, like a number out of range
            }
            throw refusal(name, expected, "'" + text + "'");
        });
    }

    /** An integer within [minimum, maximum] that has to be given. */
    public int requiredInteger(String name, int minimum, int maximum) {
        return integer(name, minimum, maximum)
                .orElseThrow(() -> refusal(name, "an integer from " + minimum + " to " + maximum, "nothing"));
    }

    /** A seed, any integer of 64 bits. */
    public long seed(String name) {
        String text = required(name, "an integer");
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw refusal(name, "an integer of 64 bits", "'" + text + "'");
        }
    }

    /** A finite number, or empty if the setting was not given and has no fallback. */
    public Optional<Double> real(String name) {
        return text(name).map(text -> {
            try {
                double value = Double.parseDouble(text);
                if (Double.isFinite(value)) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // refused below, like NaN
            }
            throw refusal(name, "a finite number", "'" + text + "'");
        });
    }

    /** A finite number that has to be given. */
    public double requiredReal(String name) {
        return real(name).orElseThrow(() -> refusal(name, "a finite number", "nothing"));
    }

    /** Finite numbers between commas, at least one. */
    public List<Double> reals(String name) {
        String expected = "finite numbers between commas";
        String text = required(name, expected);
        var numbers = new ArrayList<Double>();
        for (String part : text.split(",", -1)) {
            try {
                numbers.add(Double.valueOf(part.strip()));
            } catch (NumberFormatException e) {
                throw refusal(name, expected, "'" + text + "'");
            }
        }
        if (!numbers.stream().allMatch(Double::isFinite)) {
            throw refusal(name, expected, "'" + text + "'");
        }
        return List.copyOf(numbers);
    }

    /** "true" or "false". */
    public boolean flag(String name) {
        String text = required(name, "true or false");
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw refusal(name, "true or false", "'" + text + "'");
        };
    }

    private static IllegalArgumentException refusal(String name, String expected, String got) {
        return new IllegalArgumentException(name + ": expected " + expected + ", got " + got);
    }
}
