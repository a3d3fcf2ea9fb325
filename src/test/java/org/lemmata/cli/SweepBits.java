package org.lemmata.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The results of a sweep that must not depend on interruptions.
 *
 * @param results the last line of each cell, without its run
 * @param curves the lines of each cell's curve, without times
 * @param table the rows of the table, without times
 */
record SweepBits(Map<String, String> results, Map<String, List<String>> curves, List<String> table) {

    /** Reads a directory, which must have no half-written files. */
    static SweepBits of(Path sweep) throws IOException {
        try (Stream<Path> files = Files.walk(sweep)) {
            assertThat(files.filter(file -> file.toString().endsWith(".part"))).isEmpty();
        }
        Map<String, String> results = new TreeMap<>();
        for (String line : lines(sweep)) {
            results.put(line.replaceFirst("^\\{\"cell\":\"([0-9a-f]{16})\".*", "$1"), withoutRun(line));
        }
        Map<String, List<String>> curves = new TreeMap<>();
        for (String cell : results.keySet()) {
            Path curve = sweep.resolve("cells").resolve(cell).resolve("curve.jsonl");
            if (Files.exists(curve)) {
                curves.put(
                        cell,
                        Files.readAllLines(curve).stream()
                                .map(SweepBits::withoutClock)
                                .toList());
            }
        }
        List<String> table = Files.readAllLines(sweep.resolve("results.csv")).stream()
                .map(line -> line.replaceFirst(",[^,]*,[^,]*,[^,]*$", ""))
                .toList();
        return new SweepBits(results, curves, table);
    }

    /** The lines of results.jsonl, which must all be complete. */
    static List<String> lines(Path sweep) throws IOException {
        String text = Files.readString(sweep.resolve("results.jsonl"));
        assertThat(text.isEmpty() || text.endsWith("\n")).as("%s", text).isTrue();
        List<String> lines = text.lines().toList();
        assertThat(lines)
                .allMatch(
                        line -> line.startsWith("{\"cell\":\"") && line.matches(".*}},\"checksum\":\"[0-9a-f]{16}\"}"));
        return lines;
    }

    /** The current number of lines of results.jsonl; 0 if it does not exist. */
    static long count(Path sweep) {
        Path file = sweep.resolve("results.jsonl");
        if (!Files.exists(file)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String withoutRun(String line) {
        String without = line.replaceFirst(",\"run\":\\{.*", "");
        assertThat(without).isNotEqualTo(line);
        return without;
    }

    private static String withoutClock(String line) {
        String without = line.replaceFirst("\"seconds\":[^,}]*", "").replaceFirst("\"tokensPerSecond\":[^,}]*", "");
        assertThat(without).isNotEqualTo(line);
        return without;
    }
}
