package org.lemmata.setting;

/**
 * A setting that a user may give as {@code name=value}.
 *
 * @param name the name
 * @param fallback the value taken where none is given, as text, or "" where the setting must be given or is derived
 *     from
 *     others, as {@code meaning} then says
 * @param meaning what it is, with its range
 */
public record Setting(String name, String fallback, String meaning) {}
