package org.lemmata.track;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.lemmata.file.Contents;
import org.lemmata.file.Json;
import org.lemmata.file.JsonValue;

/**
 * The benchmark runs in {@code jmh-results/history.jsonl}, one line of JSON per row and run. Lines are only appended. A
 * line that was cut off during writing is ignored.
 */
public final class History {

    private static final String EXPECTED = "a row of a run (JSON with time, commit, machine, benchmark, forks)";

    private History() {}

    /**
     * Appends a run. Its lines are on disk when this method returns. Rows without {@linkplain BenchmarkRow#areSound
     * sound} samples are left out.
     *
     * @throws IOException if writing fails
     */
    public static synchronized void append(Path file, List<BenchmarkRow> rows, RunRecord record) throws IOException {
        var lines = new StringBuilder();
        for (HistoryEntry entry : HistoryEntry.ofRun(rows, record)) {
            lines.append(Json.line(entry)).append('\n');
        }
        Path absolute = file.toAbsolutePath();
        Files.createDirectories(absolute.getParent());
        try (FileChannel channel = FileChannel.open(
                absolute, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            // Other processes wait for this lock. Closing the channel releases it.
            channel.lock();
            channel.truncate(
                    Contents.endOfLines(Channels.newInputStream(channel).readAllBytes()));
            channel.position(channel.size());
            Channels.newOutputStream(channel).write(lines.toString().getBytes(StandardCharsets.UTF_8));
            channel.force(false);
        }
    }

    /**
     * The rows of all runs, in the order of the file.
     *
     * @throws IOException if the file is missing or a complete line is malformed; the message names file and line
     */
    public static List<HistoryEntry> read(Path file) throws IOException {
        byte[] bytes = Contents.of(file);
        String whole = Contents.text(file, bytes, Contents.endOfLines(bytes));
        var entries = new ArrayList<HistoryEntry>();
        int number = 0;
        for (String line : whole.lines().toList()) {
            number++;
            JsonValue value = JsonValue.parse(file, "line " + number, line, EXPECTED);
            HistoryEntry entry = value.as(HistoryEntry.class);
            if (!BenchmarkRow.areSound(List.of(entry.forks()))) {
                throw value.field("forks").unexpected("positive finite scores");
            }
            entries.add(entry);
        }
        return entries;
    }

    /** For each row with its machine and settings, its runs, oldest first. A run that was added twice counts once. */
    public static SequencedMap<HistoryEntry.Row, List<HistoryEntry>> series(List<HistoryEntry> history) {
        var byTime = new LinkedHashMap<HistoryEntry.Row, TreeMap<Instant, HistoryEntry>>();
        for (HistoryEntry entry : history) {
            byTime.computeIfAbsent(entry.row(), row -> new TreeMap<>()).put(entry.time(), entry);
        }
        var series = new LinkedHashMap<HistoryEntry.Row, List<HistoryEntry>>();
        byTime.forEach((row, runs) -> series.put(row, List.copyOf(runs.values())));
        return series;
    }
}
