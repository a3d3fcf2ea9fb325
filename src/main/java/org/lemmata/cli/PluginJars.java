package org.lemmata.cli;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.lemmata.argument.Refuse;
import org.lemmata.claim.Claims;
import org.lemmata.construct.ConstructionProvider;
import org.lemmata.setting.Catalogue;
import org.lemmata.setting.Plugin;
import org.lemmata.sweep.Trial;
import org.lemmata.task.TaskProvider;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.ParseResult;

/** Runs commands with plugins from jars. */
final class PluginJars {

    private static final String VARIABLE = "LEMMATA_PLUGINS";

    private PluginJars() {}

    static List<Path> ofEnvironment() {
        String jars = System.getenv().getOrDefault(VARIABLE, "");
        return Arrays.stream(jars.split(Pattern.quote(System.getProperty("path.separator"))))
                .filter(jar -> !jar.isBlank())
                .map(Path::of)
                .toList();
    }

    /** Runs a command with plugins; each plugin is loaded once. If a plugin is unusable, the command does not run. */
    static int run(Set<Path> jars, ParseResult parsed) {
        Integer help = CommandLine.executeHelpRequest(parsed);
        if (help != null) {
            return help;
        }
        try {
            if (!jars.isEmpty()) {
                use(jars.stream()
                        .map(jar -> jar.toAbsolutePath().normalize())
                        .distinct()
                        .map(Plugin::open)
                        .toList());
            }
            return new CommandLine.RunLast().execute(parsed);
        } catch (IllegalArgumentException e) {
            throw failure(parsed, String.valueOf(e.getMessage()), e);
        } catch (LinkageError | AssertionError e) {
            throw failure(parsed, Plugin.fault(e).orElseThrow(() -> e), e);
        }
    }

    private static ExecutionException failure(ParseResult parsed, String message, Throwable cause) {
        return new ExecutionException(
                parsed.commandSpec().commandLine(), message, new IllegalArgumentException(message, cause));
    }

    /**
     * Checks everything that the plugins offer before making it available.
     *
     * @throws IllegalArgumentException if a plugin offers nothing or something unusable; the message is one line
     */
    private static void use(List<Plugin> plugins) {
        Set<String> offering = new HashSet<>();
        offering.addAll(
                Catalogue.of("task", TaskProvider.class, plugins).plugins().values());
        offering.addAll(Catalogue.of("construction", ConstructionProvider.class, plugins)
                .plugins()
                .values());
        Claims.found(plugins).forEach(claim -> offering.add(claim.plugin()));
        Trial.found(plugins).forEach(trial -> offering.add(trial.plugin()));
        for (Plugin plugin : plugins) {
            Refuse.when(
                    !offering.contains(plugin.name()),
                    "plugin " + plugin.name(),
                    "a provider of claims, tasks, constructions or trials in META-INF/services",
                    "none");
        }
        Plugin.use(plugins);
    }
}
