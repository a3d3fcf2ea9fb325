package org.lemmata.task;

import java.util.Map;

/** Parameters as they were typed, read one by one with their defaults. */
record Settings(Map<String, String> values) {

    Settings {
        values = Map.copyOf(values);
    }

    /**
     * The integer under {@code name}, or the default.
     *
     * @throws IllegalArgumentException if the value is not an integer that an int can hold
     */
    int integer(String name, int defaultValue) {
        String value = values.get(name);
        if (value == null) {
            return defaultValue;
        }
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + ": expected an integer, got '" + value + "'", e);
        }
    }
}
