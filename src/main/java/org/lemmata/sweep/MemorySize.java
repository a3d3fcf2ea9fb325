package org.lemmata.sweep;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lemmata.setting.ValueType;

/** Parses an amount of memory such as {@code 500 MiB}. */
final class MemorySize {

    private static final Pattern TEXT = Pattern.compile("([1-9][0-9]{0,8})\\s*(KiB|MiB|GiB)");

    private static final Map<String, Integer> SHIFTS = Map.of("KiB", 10, "MiB", 20, "GiB", 30);

    static final ValueType<Long> TYPE = new ValueType<>("an amount such as 500 MiB or 2 GiB", true, MemorySize::parse);

    private MemorySize() {}

    static Optional<Long> parse(String text) {
        Matcher parts = TEXT.matcher(text);
        return parts.matches()
                ? Optional.of(Long.parseLong(parts.group(1)) << SHIFTS.getOrDefault(parts.group(2), 0))
                : Optional.empty();
    }
}
