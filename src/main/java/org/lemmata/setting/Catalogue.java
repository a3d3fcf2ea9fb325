package org.lemmata.setting;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;
import org.lemmata.source.Source;

/**
 * A list of things that a user can make by name and settings.
 *
 * @param kind the noun for messages, such as "task" or "construction"
 * @param entries the things, in display order
 * @param plugins by an entry's name, the name of the plugin's jar, or "" for Lemmata's own
 */
public record Catalogue<T>(String kind, List<Entry<T>> entries, Map<String, String> plugins) {

    public Catalogue {
        entries = List.copyOf(entries);
        plugins = Map.copyOf(plugins);
    }

    /** Provides entries. Implementations, of Lemmata and of plugins, are found by {@link ServiceLoader}. */
    public interface Provider<T> {
        List<Entry<T>> entries();
    }

    /**
     * The entries of all providers of a kind, in the order of their registration.
     *
     * @throws IllegalArgumentException if a plugin cannot be used, or two entries have the same name
     */
    public static <T> Catalogue<T> of(String kind, Class<? extends Provider<T>> providers, List<Plugin> plugins) {
        List<Plugin.Found<Entry<T>>> found = Plugin.found(kind, providers, Provider::entries, Entry::name, plugins);
        return new Catalogue<>(
                kind,
                found.stream().map(Plugin.Found::value).toList(),
                found.stream().collect(Collectors.toMap(Plugin.Found::name, Plugin.Found::plugin)));
    }

    /**
     * One thing that can be made.
     *
     * @param name the name on the command line
     * @param description what it is or does, in one line
     * @param source where it is defined
     * @param settings its settings, in display order
     * @param factory makes it; throws an {@link IllegalArgumentException} for illegal settings
     */
    public record Entry<T>(
            String name,
            String description,
            Source source,
            List<Setting> settings,
            Function<Settings, ? extends T> factory) {

        /** An entry with the settings of a {@link Setting#table}. */
        public Entry(
                String name, String description, Source source, String table, Function<Settings, ? extends T> factory) {
            this(name, description, source, Setting.table(table), factory);
        }

        /**
         * Makes the thing.
         *
         * @throws IllegalArgumentException if a setting is not known or not legal
         */
        public T create(Map<String, String> given) {
            return factory.apply(new Settings(settings, given));
        }

        /** The effective values for the given ones: every setting that has a value or a default, in order. */
        public SequencedMap<String, String> effective(Map<String, String> given) {
            var effective = new LinkedHashMap<String, String>();
            for (Setting setting : settings) {
                String value = given.getOrDefault(setting.name(), setting.fallback());
                if (!value.isEmpty()) {
                    effective.put(setting.name(), value);
                }
            }
            return effective;
        }

        /** The effective values, also of settings that take another setting's value because they were not given. */
        public SequencedMap<String, String> resolved(Map<String, String> given) {
            var read = new Settings(settings, given);
            var resolved = new LinkedHashMap<String, String>();
            for (Setting setting : settings) {
                read.text(setting.name()).ifPresent(text -> resolved.put(setting.name(), text));
            }
            return resolved;
        }
    }

    /**
     * The entry of a name.
     *
     * @throws IllegalArgumentException if there is none; the message lists the names
     */
    public Entry<T> entry(String name) {
        return entries.stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        kind + ": expected one of " + String.join(", ", names()) + ", got " + Refuse.quoted(name)));
    }

    /** The name of the plugin's jar that has an entry; "" for Lemmata's own. */
    public String plugin(Entry<?> entry) {
        return plugins.getOrDefault(entry.name(), "");
    }

    /** The names of the entries, in their order. */
    public List<String> names() {
        return entries.stream().map(Entry::name).toList();
    }
}
