package org.lemmata.task;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.lemmata.task.depth.DyckWords;

/** The one list of tasks. */
public final class Tasks {

    private static final TreeMap<String, Function<Settings, Task>> FACTORIES =
            new TreeMap<>(Map.of(DyckWords.NAME, Tasks::dyckWords));

    private Tasks() {}

    private static Task dyckWords(Settings settings) {
        int pairs = settings.integer("N", 16);
        return new DyckWords(pairs, settings.integer("minDepth", 1), settings.integer("maxDepth", pairs));
    }

    /** Every task, with its default parameters, by name. */
    public static List<Task> all() {
        return FACTORIES.values().stream()
                .map(factory -> factory.apply(new Settings(Map.of())))
                .toList();
    }

    /**
     * The task of a name, with parameters as they were typed.
     *
     * @throws IllegalArgumentException if there is no such task or parameter, or a value is not legal
     */
    public static Task create(String name, Map<String, String> parameters) {
        Function<Settings, Task> factory = FACTORIES.get(name);
        if (factory == null) {
            throw new IllegalArgumentException(
                    "task: expected one of " + String.join(", ", FACTORIES.keySet()) + ", got '" + name + "'");
        }
        List<String> known = factory.apply(new Settings(Map.of())).parameters().stream()
                .map(Parameter::name)
                .toList();
        for (String parameter : parameters.keySet()) {
            if (!known.contains(parameter)) {
                throw new IllegalArgumentException("parameter of " + name + ": expected one of "
                        + String.join(", ", known) + ", got '" + parameter + "'");
            }
        }
        return factory.apply(new Settings(parameters));
    }
}
