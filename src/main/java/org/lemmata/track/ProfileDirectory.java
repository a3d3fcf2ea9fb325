package org.lemmata.track;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** The directories of profiles: one per benchmark, mode and parameter set, named as JMH's profilers name them. */
public final class ProfileDirectory {

    /** The directory of all profiles of a checkout. */
    public static final Path ROOT = Path.of("target", "profiles");

    /** The flame graph, from the roots to the leaves, that async-profiler writes in the directory of a row. */
    public static final String FLAME_GRAPH = "flame-cpu-forward.html";

    /** The file with JMH's output, including the tables of its profilers, in the directory of a row. */
    public static final String TEXT = "profile.txt";

    /** The names of modes in JMH's directory names. */
    private static final Map<String, String> MODES =
            Map.of("thrpt", "Throughput", "avgt", "AverageTime", "sample", "SampleTime", "ss", "SingleShotTime");

    private ProfileDirectory() {}

    /** The directory of a row below {@code root}. */
    public static Path of(Path root, String benchmark, String mode, Map<String, String> params) {
        var name = new StringBuilder(sanitized(benchmark)).append('-').append(MODES.getOrDefault(mode, mode));
        new TreeMap<>(params)
                .forEach((param, value) ->
                        name.append('-').append(sanitized(param)).append('-').append(sanitized(value)));
        return root.resolve(name.toString());
    }

    /** Encodes special characters, such as "SOFTMAX_3A1" for "SOFTMAX:1". */
    private static String sanitized(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace('%', '_');
    }
}
