package org.lemmata.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.lemmata.file.AtomicFile;
import org.lemmata.track.ProfileDirectory;

/** Keeps the output of JMH's profilers next to the files that they write. */
final class ProfilerText {

    /** JMH's output for one benchmark in one mode, which ends before the next benchmark or the summary. */
    private static final Pattern BLOCK = Pattern.compile(
            "^# Benchmark mode: ([^,]*),.*?(?=^# JMH version|^# Run complete|\\z)", Pattern.MULTILINE | Pattern.DOTALL);

    /** The short names of modes, by the words that JMH prints. */
    private static final Map<String, String> MODES = Map.of(
            "Throughput",
            "thrpt",
            "Average time",
            "avgt",
            "Sampling time",
            "sample",
            "Single shot invocation time",
            "ss");

    private ProfilerText() {}

    /**
     * Stores JMH's output for a profiled cell. Each mode has a file in the directory of its profiles, which replaces
     * the output of earlier forks.
     *
     * @param root the directory of all profiles
     */
    static void keep(Path root, BenchmarkCell cell, String output) throws IOException {
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
