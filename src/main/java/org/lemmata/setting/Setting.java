package org.lemmata.setting;

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

    /** A setting that, where it is not given, has the value of another one. */
    public static Setting sameAs(String name, String other, String meaning) {
        return new Setting(name, "", meaning, false, other);
    }
}
