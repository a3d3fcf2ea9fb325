package org.lemmata.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.lemmata.file.AtomicFile;
import org.lemmata.track.ProfileDirectory;
import org.lemmata.track.RunRecord;

/** Gives JMH's profilers their settings, such as output directories, and keeps their output. */
public final class Profiling {

    private static final Path LIBRARY = Path.of("target", "async-profiler");

    /** JMH's output for one benchmark in one mode, which ends before the next benchmark or the summary. */
    private static final Pattern BLOCK = Pattern.compile(
            "^# Benchmark mode: ([^,]*),.*?(?=^# JMH version|^# Run complete|\\z)", Pattern.MULTILINE | Pattern.DOTALL);

    /** The short names of modes, by the words that JMH prints. */
    private static final Map<String, String> MODES = Map.of(
            "Throughput", "thrpt",
            "Average time", "avgt",
            "Sampling time", "sample",
            "Single shot invocation time", "ss");

    private Profiling() {}

    /**
     * Adds settings to the profilers async, jfr and perfasm if they have none.
     *
     * @throws IOException if async-profiler has no library for this machine
     */
    public static JmhArguments withLocations(JmhArguments arguments, BenchmarkJar jar) throws IOException {
        return withLocations(arguments, jar, LIBRARY);
    }

    /** @param directory the directory into which the library of async-profiler is unpacked */
    static JmhArguments withLocations(JmhArguments arguments, BenchmarkJar jar, Path directory) throws IOException {
        var options = new ArrayList<String>();
        String before = "";
        for (String word : arguments.options()) {
            if (!before.equals("-prof")) {
                options.add(word);
            } else {
                options.removeLast();
                // A word may list several profilers, but commas after a colon separate the settings of one profiler.
                for (String profiler : word.contains(":") ? List.of(word) : List.of(word.split(","))) {
                    options.addAll(List.of("-prof", withLocation(profiler, jar, directory)));
                }
            }
            before = word;
        }
        return new JmhArguments(arguments.includes(), arguments.forks(), options, arguments.listing());
    }

    private static String withLocation(String profiler, BenchmarkJar jar, Path directory) throws IOException {
        return switch (profiler) {
            case "async" ->
                "async:libPath=" + asyncProfiler(jar, directory) + ";output=flamegraph;dir=" + ProfileDirectory.ROOT;
            case "jfr" -> "jfr:dir=" + ProfileDirectory.ROOT;
            case "perfasm" -> "perfasm:events=cpu-clock";
            default -> profiler;
        };
    }

    private static Path asyncProfiler(BenchmarkJar jar, Path directory) throws IOException {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "macos" : "linux";
        String cpu = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        String name = (os.equals("macos") ? os : os + "-" + cpu) + "/libasyncProfiler.so";
        Path library = directory.resolve("libasyncProfiler.so").toAbsolutePath();
        // Other jars may lack async-profiler; Lemmata's own jar has it.
        Path ours = RunRecord.codeDirectory().resolve(BenchmarkJar.BUILT.getFileName());
        URL[] classPath = {jar.file().toUri().toURL(), ours.toUri().toURL()};
        try (var libraries = new URLClassLoader(classPath, null);
                InputStream packed = libraries.getResourceAsStream(name)) {
            if (packed == null) {
                throw new IOException("-prof async: expected " + name + " in async-profiler's jar next to " + jar.file()
                        + "; there is none for " + System.getProperty("os.name") + " on "
                        + System.getProperty("os.arch"));
            }
            Files.createDirectories(library.getParent());
            Files.copy(packed, library, StandardCopyOption.REPLACE_EXISTING);
        }
        return library;
    }

    /**
     * Stores JMH's output for a profiled cell. Each mode has a file in the directory of its profiles, which replaces
     * the output of earlier forks.
     *
     * @param root the directory of all profiles
     */
    static void keepText(Path root, BenchmarkCell cell, String output) throws IOException {
        if (!cell.options().contains("-prof")) {
            return;
        }
        for (MatchResult block : BLOCK.matcher(output).results().toList()) {
            String mode = MODES.getOrDefault(block.group(1), block.group(1));
            Path directory = ProfileDirectory.of(root, cell.benchmark(), mode, cell.params());
            AtomicFile.write(
                    directory.resolve(ProfileDirectory.TEXT), block.group().stripTrailing() + "\n");
        }
    }
}
