package org.lemmata.setting;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A setting that a user may give as {@code name=value}.
 *
 * @param fallback the default as text; "" if the setting must be given or is derived from others, as described in
 *     {@code meaning}
 * @param meaning the description, with the range
 * @param implied whether records omit the setting if it has its default
 * @param sameAs the name of the setting whose value is the default; "" if {@code fallback} is the default
 * @param numbers the allowed numbers, or null if the setting is not numeric
 * @param stated the numbers that satisfy the tested statement's hypothesis; null if all do
 */
public record Setting(
        String name,
        String fallback,
        String meaning,
        boolean implied,
        String sameAs,
        @Nullable NumberSet numbers,
        @Nullable NumberSet stated) {

    private static final String IMPLIED = "implied ";
    private static final String SAME_AS = "= ";
    private static final String STATED = "; stated ";

    /** A setting that is always recorded. */
    public Setting(String name, String fallback, String meaning) {
        this(name, fallback, meaning, false, "", null, null);
    }

    /**
     * A setting that was added after results had been recorded. If its value is the default, given or not, records and
     * ids are the same as before the setting existed.
     */
    public static Setting implied(String name, String fallback, String meaning) {
        return new Setting(name, fallback, meaning, true, "", null, null);
    }

    /**
     * Parses settings, each in a line {@code name | default | meaning}. A line may begin with {@code implied}
     * ({@link #implied}). The default may be {@code = other}, the value of another setting. A line that begins with
     * spaces continues the previous one.
     */
    public static List<Setting> table(String table) {
        return table.replaceAll("\n +", " ").lines().map(Setting::ofRow).toList();
    }

    /**
     * Parses numeric settings, each in a line {@code name | numbers | default | meaning}. The numbers are a
     * {@link NumberSet}, which may be followed by {@code ; stated} and the set of numbers that satisfy the tested
     * statement's hypothesis.
     */
    public static List<Setting> numbers(String table) {
        return table.replaceAll("\n +", " ").lines().map(Setting::ofNumbers).toList();
    }

    private static Setting ofNumbers(String row) {
        String[] cells = row.split(" *\\| *", 4);
        String[] sets = cells[1].split(STATED, 2);
        return new Setting(
                cells[0],
                cells[2],
                cells[3],
                false,
                "",
                NumberSet.of(sets[0]),
                sets.length > 1 ? NumberSet.of(sets[1]) : null);
    }

    private static Setting ofRow(String row) {
        String[] cells = row.split(" ?\\| ?", 3);
        if (cells[1].startsWith(SAME_AS)) {
            return sameAs(cells[0], cells[1].substring(SAME_AS.length()), cells[2]);
        }
        return cells[0].startsWith(IMPLIED)
                ? implied(cells[0].substring(IMPLIED.length()), cells[1], cells[2])
                : new Setting(cells[0], cells[1], cells[2]);
    }

    /** A setting whose default is the value of another setting. */
    public static Setting sameAs(String name, String other, String meaning) {
        return new Setting(name, "", meaning, false, other, null, null);
    }
}
