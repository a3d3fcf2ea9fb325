package org.lemmata.track;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Where profiles lie: a directory a benchmark, mode and parameter set, as JMH's own profilers name it. */
public final class ProfileDirectory {

    /** Of all profiles of a checkout. */
    public static final Path ROOT = Path.of("target", "profiles");

    /** In the directory of a row: async-profiler's, from the root to the leaves. */
    public static final String FLAME_GRAPH = "flame-cpu-forward.html";

    /** In the directory of a row: what JMH printed of it, with the tables of its profilers. */
    public static final String TEXT = "profile.txt";

    /** What JMH calls its modes when it names directories. */
    private static final Map<String, String> MODES =
            Map.of("thrpt", "Throughput", "avgt", "AverageTime", "sample", "SampleTime", "ss", "SingleShotTime");

    private ProfileDirectory() {}

    /**
     * The directory of a row below {@code root}.
     *
     * @param benchmark the qualified name of the method
     * @param mode JMH's short name
     */
    public static Path of(Path root, String benchmark, String mode, Map<String, String> params) {
        var name = new StringBuilder(sanitized(benchmark)).append('-').append(MODES.getOrDefault(mode, mode));
        new TreeMap<>(params)
                .forEach((param, value) ->
                        name.append('-').append(sanitized(param)).append('-').append(sanitized(value)));
        return root.resolve(name.toString());
    }

    /** "SOFTMAX:1" is "SOFTMAX_3A1". */
    private static String sanitized(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace('%', '_');
    }
}
