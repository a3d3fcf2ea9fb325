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
import org.lemmata.track.ProfileDirectory;
import org.lemmata.track.RunRecord;

/** Adds the settings that JMH's profilers need: output directories and the native library of async-profiler. */
public final class Profiling {

    private static final Path LIBRARY = Path.of("target", "async-profiler");

    private Profiling() {}

    /**
     * Adds settings to profilers that have none. Settings of the user are not changed.
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
                throw new IOException("-prof async: expected " + name + " in async-profiler's jar beside " + jar.file()
                        + "; there is none for " + System.getProperty("os.name") + " on "
                        + System.getProperty("os.arch"));
            }
            Files.createDirectories(library.getParent());
            Files.copy(packed, library, StandardCopyOption.REPLACE_EXISTING);
        }
        return library;
    }
}
