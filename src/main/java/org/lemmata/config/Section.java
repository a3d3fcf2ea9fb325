package org.lemmata.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.setting.Setting;

/**
 * The keys of a configuration's section, and the sections below it.
 *
 * @param name the key of the section; "" for the whole configuration
 * @param form how it is written
 * @param keys its keys with their defaults as text; "" means that the key must be given or that its default is derived
 * @param sections its subsections
 */
public record Section(String name, Form form, List<Setting> keys, List<Section> sections) {

    public enum Form {
        /** The section is written once, with the listed keys. */
        SINGLE,
        /** The section is a list; each element has the listed keys. */
        REPEATED,
        /**
         * The section has entries with free names. Each entry has the listed keys, or a scalar for the first of them.
         */
        NAMED,
        /** The section is written once, with keys that are not listed. */
        OPEN
    }

    /** Cache of parsed defaults, because a sweep reads the same ones thousands of times. */
    private static final Map<String, Optional<Node>> FALLBACKS = new ConcurrentHashMap<>();

    public Section {
        keys = List.copyOf(keys);
        sections = List.copyOf(sections);
    }

    /** A section that is written once. */
    public static Section of(String name, List<Setting> keys, Section... sections) {
        return new Section(name, Form.SINGLE, keys, List.of(sections));
    }

    /** A list of sections. */
    public static Section repeated(String name, List<Setting> keys) {
        return new Section(name, Form.REPEATED, keys, List.of());
    }

    /** A section of free names; each entry has the listed keys, or a scalar for the first key. */
    public static Section named(String name, List<Setting> keys) {
        return new Section(name, Form.NAMED, keys, List.of());
    }

    /** A section whose keys are not listed; messages write {@code *} for them. */
    public static Section open(String name, String meaning) {
        return new Section(name, Form.OPEN, List.of(new Setting("*", "", meaning)), List.of());
    }

    /** The names of keys and subsections, in order. */
    public List<String> names() {
        return Stream.concat(keys.stream().map(Setting::name), sections.stream().map(Section::name))
                .toList();
    }

    /**
     * The dotted paths of all keys in this section and below, in order; {@code *} represents list elements and free
     * names.
     */
    public List<String> paths() {
        Stream<String> below =
                sections.stream().flatMap(section -> section.paths().stream().map(section.prefix()::concat));
        return Stream.concat(keys.stream().map(Setting::name), below).toList();
    }

    /** The name of this section with a dot at its end, or with {@code .*.} if it is a list or has free names. */
    public String prefix() {
        return name + (form == Form.REPEATED || form == Form.NAMED ? ".*." : ".");
    }

    /** The path of the first key with this name, in this section or below. */
    Optional<String> path(String key) {
        return paths().stream()
                .filter(known -> known.endsWith("." + key) || known.equals(key))
                .findFirst();
    }

    String expected() {
        return "the keys " + String.join(", ", names());
    }

    /** The first part of a key's meaning in parentheses, for error messages; "" for a subsection. */
    String meaning(String key) {
        return find(key)
                .map(setting -> " (it is " + setting.meaning().replaceFirst("[;:].*", "") + ")")
                .orElse("");
    }

    private Optional<Setting> find(String key) {
        return keys.stream().filter(setting -> setting.name().equals(key)).findFirst();
    }

    @Nullable
    Node fallback(String key) {
        Setting setting =
                find(key).orElseThrow(() -> new AssertionError("no key " + key + " in the section '" + name + "'"));
        return FALLBACKS
                .computeIfAbsent(setting.fallback(), text -> Optional.ofNullable(YamlText.read("default", false, text)))
                .orElse(null);
    }

    Section section(String key) {
        return sections.stream()
                .filter(section -> section.name.equals(key))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no section " + key + " in the section '" + name + "'"));
    }
}
