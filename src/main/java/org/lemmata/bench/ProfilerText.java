package org.lemmata.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.lemmata.file.AtomicFile;
import org.lemmata.track.ProfileDirectory;

/** What JMH's profilers print, kept beside the files that they write. */
final class ProfilerText {

    /** What JMH prints of a benchmark in one mode: up to the next one, or to the summary. */
    private static final Pattern BLOCK = Pattern.compile(
            "^# Benchmark mode: ([^,]*),.*?(?=^# JMH version|^# Run complete|\\z)", Pattern.MULTILINE | Pattern.DOTALL);

    /** By what JMH prints of its modes. */
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
     * Keeps what JMH printed of a cell that was profiled, each mode in the directory of its profiles, in place of what
     * an earlier fork left.
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
