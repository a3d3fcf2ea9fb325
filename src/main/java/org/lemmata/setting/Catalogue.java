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
 * A list of things that users create by name and settings.
 *
 * @param kind the noun for messages, such as "task" or "construction"
 * @param entries the things, in display order
 * @param plugins the name of the plugin's jar for each entry's name; "" for Lemmata's own entries
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
     * One thing that can be created.
     *
     * @param name the name on the command line
     * @param description a description in one line
     * @param source the definition in the literature
     * @param settings the settings, in display order
     * @param factory creates the thing; throws an {@link IllegalArgumentException} for illegal settings
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
         * Creates the thing from the given settings.
         *
         * @throws IllegalArgumentException if a setting is not known or not legal
         */
        public T create(Map<String, String> given) {
            return factory.apply(new Settings(settings, given));
        }

        /** The value of each setting, in order: the given one, or the default. Settings with neither are left out. */
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

        /** Like {@link #effective}, but a setting whose default is another setting's value has that value. */
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
     * The entry with this name.
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

    /** The name of the plugin's jar that provides an entry; "" for Lemmata's own. */
    public String plugin(Entry<?> entry) {
        return plugins.getOrDefault(entry.name(), "");
    }

    public List<String> names() {
        return entries.stream().map(Entry::name).toList();
    }
}
