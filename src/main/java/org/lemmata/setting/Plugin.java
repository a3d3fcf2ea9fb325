package org.lemmata.setting;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;
import org.lemmata.file.Sha256;

/**
 * A user's jar with claims, tasks, constructions or trials. Its classes can use the classes of Lemmata and of the jars
 * in its manifest's Class-Path, but not the classes of other plugins.
 */
public final class Plugin {

    /** The key of the plugins in a recorded environment. */
    public static final String RECORDED = "plugins";

    private static final int DIGITS = 10;

    private static volatile List<Plugin> used = List.of();

    private final Path jar;
    private final ClassLoader loader;

    private Plugin(Path jar, URL location) {
        this.jar = jar;
        // The loader has the jar's name, so that stack traces contain it.
        this.loader = new URLClassLoader(name(), new URL[] {location}, Plugin.class.getClassLoader());
    }

    /**
     * A value that a provider of a service offers.
     *
     * @param name its name, unique among values of its kind
     * @param plugin the name of its jar, or "" if it is Lemmata's
     */
    public record Found<T>(String name, T value, String plugin) {}

    /**
     * Opens a jar.
     *
     * @throws IllegalArgumentException if there is no such jar
     */
    public static Plugin open(Path jar) {
        Refuse.when(!Files.exists(jar), "plugin " + jar, "a jar", "no such file");
        Refuse.when(Files.isDirectory(jar), "plugin " + jar, "a jar", "a directory");
        try (var _ = new JarFile(jar.toFile())) {
            return new Plugin(jar, jar.toUri().toURL());
        } catch (IOException e) {
            throw new IllegalArgumentException("plugin " + jar + ": expected a jar, got none: " + e.getMessage(), e);
        }
    }

    /** Sets the plugins of this process. Must be called before any catalogue, claim or trial is loaded. */
    public static void use(List<Plugin> plugins) {
        used = List.copyOf(plugins);
    }

    public static List<Plugin> used() {
        return used;
    }

    /** {@code environment}; the names and short hashes of plugin jars, if any, are added as {@link #RECORDED}. */
    public static Map<String, String> recordedIn(Map<String, String> environment) {
        var recorded = new TreeMap<>(environment);
        if (!used.isEmpty()) {
            recorded.put(RECORDED, used.stream().map(Plugin::identity).collect(Collectors.joining(", ")));
        }
        return recorded;
    }

    public static boolean has(Class<?> type) {
        return used.stream().anyMatch(plugin -> plugin.loader.equals(type.getClassLoader()));
    }

    /** One line with the plugin and the problem; empty if no frame of the stack trace is a plugin's. */
    public static Optional<String> fault(Throwable thrown) {
        return used.stream()
                .filter(plugin -> plugin.place(thrown).isPresent())
                .map(plugin -> plugin.describe(thrown))
                .findFirst();
    }

    /**
     * All values that the providers of a service offer: Lemmata's values, then each plugin's.
     *
     * @param kind the noun for messages, such as "task"
     * @param offered gives the values that a provider offers
     * @param name gives the name of a value, or rejects the value with an {@link IllegalArgumentException}
     * @throws IllegalArgumentException if a plugin cannot be used, or two values have the same name; the message is one
     *     line
     */
    public static <S, T> List<Found<T>> found(
            String kind,
            Class<S> service,
            Function<S, ? extends Collection<T>> offered,
            Function<T, String> name,
            List<Plugin> plugins) {
        var all = new ArrayList<Found<T>>();
        for (S provider : ServiceLoader.load(service, service.getClassLoader())) {
            offered.apply(provider).forEach(one -> all.add(new Found<>(name.apply(one), one, "")));
        }
        for (Plugin plugin : plugins) {
            all.addAll(plugin.found(service, offered, name));
        }
        var names = new HashSet<String>();
        for (Found<T> one : all) {
            Refuse.when(
                    !names.add(one.name()),
                    one.plugin().isEmpty() ? kind : "plugin " + one.plugin() + ": " + kind,
                    "a name that no other one has",
                    Refuse.quoted(one.name()));
        }
        return List.copyOf(all);
    }

    public String name() {
        return String.valueOf(jar.getFileName());
    }

    /** The jar, which the engine spark sends to its executors. */
    public Path jar() {
        return jar;
    }

    private <S, T> List<Found<T>> found(
            Class<S> service, Function<S, ? extends Collection<T>> offered, Function<T, String> name) {
        try {
            return ServiceLoader.load(service, loader).stream()
                    .filter(provider -> loader.equals(provider.type().getClassLoader()))
                    .flatMap(provider -> offered.apply(provider.get()).stream())
                    .map(one -> new Found<>(name.apply(one), one, name()))
                    .toList();
        } catch (ServiceConfigurationError e) {
            throw new IllegalArgumentException(describe(e.getCause() == null ? e : e.getCause()), e);
        } catch (RuntimeException | LinkageError e) {
            throw new IllegalArgumentException(describe(e), e);
        }
    }

    private String describe(Throwable thrown) {
        String message = String.valueOf(thrown.getMessage());
        return "plugin " + name() + ": "
                + switch (thrown) {
                    case IllegalArgumentException _, ServiceConfigurationError _ -> message;
                    default ->
                        thrown.getClass().getSimpleName() + ": " + message
                                + place(thrown)
                                        .map(frame -> ", at " + frame.getClassName() + "." + frame.getMethodName() + ":"
                                                + frame.getLineNumber())
                                        .orElse("");
                };
    }

    private Optional<StackTraceElement> place(Throwable thrown) {
        return Arrays.stream(thrown.getStackTrace())
                .filter(frame -> name().equals(frame.getClassLoaderName()))
                .findFirst();
    }

    private String identity() {
        try {
            MessageDigest digest = Sha256.digest();
            digest.update(Files.readAllBytes(jar));
            return name() + " " + Sha256.hex(digest, DIGITS);
        } catch (IOException e) {
            return name();
        }
    }
}
