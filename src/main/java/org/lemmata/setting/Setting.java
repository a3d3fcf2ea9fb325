package org.lemmata.setting;

import java.util.List;

/**
 * A setting that a user may give as {@code name=value}.
 *
 * @param name the name
 * @param fallback the value taken where none is given, as text, or "" where the setting must be given or is derived
 *     from others, as {@code meaning} then says
 * @param meaning what it is, with its range
 * @param implied whether what is recorded leaves it out where it has its fallback: absence then says the same
 * @param sameAs the setting whose value it has where none is given, or "" where it has {@code fallback}
 */
public record Setting(String name, String fallback, String meaning, boolean implied, String sameAs) {

    private static final String IMPLIED = "implied ";
    private static final String SAME_AS = "= ";

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
