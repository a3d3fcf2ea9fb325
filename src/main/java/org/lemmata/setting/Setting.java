package org.lemmata.setting;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A setting that a user may give as {@code name=value}.
 *
 * @param name the name
 * @param fallback the value taken where none is given, as text, or "" where the setting must be given or is derived
 *     from others, as {@code meaning} then says
 * @param meaning what it is, with its range
 * @param implied whether what is recorded leaves it out where it has its fallback: absence then says the same
 * @param sameAs the setting whose value it has where none is given, or "" where it has {@code fallback}
 * @param numbers what it may be, where that is numbers; else null
 * @param stated those of the numbers that what is tested speaks of; null where it speaks of all
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

    private Setting(String name, String fallback, String meaning, boolean implied, String sameAs) {
        this(name, fallback, meaning, implied, sameAs, null, null);
    }

    /** A setting that is recorded whatever its value. */
    public Setting(String name, String fallback, String meaning) {
        this(name, fallback, meaning, false, "");
    }

    /**
     * A setting that came after results were recorded: where it has its fallback, given or not, all that is recorded is
     * what it was before there was the setting, names by content included.
     */
    public static Setting implied(String name, String fallback, String meaning) {
        return new Setting(name, fallback, meaning, true, "");
    }

    /**
     * Settings of a table: a line {@code name | fallback | meaning} for each, which begins with the word
     * {@code implied} if it is one, and whose fallback may be {@code = other}, the setting that it is the same as; a
     * line that begins with blanks goes on with the one before.
     */
    public static List<Setting> table(String table) {
        return table.replaceAll("\n +", " ").lines().map(Setting::ofRow).toList();
    }

    /**
     * Settings of numbers: a line {@code name | numbers | fallback | meaning} for each. The numbers are those of a
     * {@link NumberSet}, and may go on with {@code ; stated} and those that what is tested speaks of.
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

    /** A setting that, where it is not given, has the value of another one. */
    public static Setting sameAs(String name, String other, String meaning) {
        return new Setting(name, "", meaning, false, other);
    }
}
