package org.lemmata.bench;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Contents;
import org.lemmata.file.Json;
import org.lemmata.file.JsonValue;
import org.lemmata.file.LockedFile;
import org.lemmata.file.MalformedFileException;
import org.lemmata.file.Sha256;
import org.lemmata.track.ForkRun;

/**
 * The forks of an unfinished run, one JSON object per line, written to disk as each fork ends. A killed run continues
 * from this file. If a run with another plan uses the same name, the forks are set aside for 30 days, and restored when
 * their plan runs again.
 *
 * @param aside the file to which forks of another plan were moved; null if there were none
 */
record BenchmarkJournal(
        Path file,
        LockedFile locked,
        String session,
        SequencedMap<BenchmarkPlan.Step, ForkProcess.Result> results,
        @Nullable Path aside)
        implements AutoCloseable {

    private static final Duration ASIDE = Duration.ofDays(30);

    private static final int PLAN_DIGITS = 16;

    /** The first line, which names the plan of the forks that follow. */
    private record Head(String plan, String session, String time) {}

    private record Line(int side, int cell, @JsonUnwrapped ForkRun run, List<JsonNode> rows) {}

    /**
     * Opens the journal of a plan, with the forks that already ran. Forks of another plan are set aside.
     *
     * @param plan the plan's hash and everything else that the forks must have in common
     * @throws IOException if another process has the journal open
     */
    static BenchmarkJournal open(Path file, String plan) throws IOException {
        Path absolute = file.toAbsolutePath();
        Files.createDirectories(absolute.getParent());
        LockedFile locked = LockedFile.open(absolute)
                .orElseThrow(() -> new MalformedFileException(
                        file, "", "expected no other run of this name, got one that is still running"));
        FileChannel channel = locked.channel();
        try {
            forgetOld(absolute);
            List<JsonValue> lines = lines(file, channel);
            Path aside = null;
            if (!lines.isEmpty() && !head(lines).plan.equals(plan)) {
                // If there is only one line, it is the head of a run that was stopped before its first fork ended.
                if (lines.size() > 1) {
                    aside = aside(absolute, head(lines).plan);
                    // An existing file is complete: it is written atomically, and deleted only once its forks are
                    // copied.
                    if (!Files.exists(aside)) {
                        AtomicFile.write(aside, new String(read(channel), StandardCharsets.UTF_8));
                    }
                }
                channel.truncate(0);
                lines = List.of();
            }
            Path own = aside(absolute, plan);
            if (Files.exists(own)) {
                // The file is deleted only after its contents were copied completely.
                channel.truncate(0);
                write(channel, Files.readAllBytes(own));
                Files.delete(own);
                lines = lines(file, channel);
            }
            var results = new LinkedHashMap<BenchmarkPlan.Step, ForkProcess.Result>();
            for (int i = 1; i < lines.size(); i++) {
                Line line = lines.get(i).as(Line.class);
                results.put(
                        new BenchmarkPlan.Step(line.side, line.cell, line.run.fork()),
                        new ForkProcess.Result(line.rows, line.run));
            }
            String session = lines.isEmpty() ? UUID.randomUUID().toString() : head(lines).session;
            var journal = new BenchmarkJournal(file, locked, session, results, aside);
            if (lines.isEmpty()) {
                journal.append(List.of(new Head(plan, session, Instant.now().toString())));
            }
            return journal;
        } catch (IOException | RuntimeException e) {
            locked.close();
            throw e;
        }
    }

    private static byte[] read(FileChannel channel) throws IOException {
        return Channels.newInputStream(channel.position(0)).readAllBytes();
    }

    /** The complete lines. A line that was cut off because the program was killed is removed. */
    private static List<JsonValue> lines(Path file, FileChannel channel) throws IOException {
        byte[] bytes = read(channel);
        int end = Contents.endOfLines(bytes);
        channel.truncate(end);
        channel.position(end);
        var lines = new ArrayList<JsonValue>();
        for (String line : Contents.text(file, bytes, end).lines().toList()) {
            lines.add(JsonValue.parse(file, "line " + (lines.size() + 1), line, "a fork's result"));
        }
        return lines;
    }

    private static Head head(List<JsonValue> lines) throws IOException {
        return lines.getFirst().as(Head.class);
    }

    private static Path aside(Path file, String plan) {
        return file.resolveSibling(file.getFileName() + "." + Sha256.hex(plan, PLAN_DIGITS));
    }

    private static void forgetOld(Path file) throws IOException {
        String name = Pattern.quote(file.getFileName().toString()) + "\\.[0-9a-f]{" + PLAN_DIGITS + "}";
        Instant oldest = Instant.now().minus(ASIDE);
        try (DirectoryStream<Path> asides = Files.newDirectoryStream(
                file.resolveSibling(""), path -> path.getFileName().toString().matches(name))) {
            for (Path aside : asides) {
                if (Files.getLastModifiedTime(aside).toInstant().isBefore(oldest)) {
                    Files.delete(aside);
                }
            }
        }
    }

    boolean has(BenchmarkPlan.Turn turn) {
        return results.keySet().containsAll(turn.forks());
    }

    void add(Map<BenchmarkPlan.Step, ForkProcess.Result> forks) throws IOException {
        List<Line> lines = new ArrayList<>();
        forks.forEach((step, result) -> lines.add(new Line(step.side(), step.cell(), result.run(), result.rows())));
        append(lines);
        results.putAll(forks);
    }

    private void append(List<? extends Record> lines) throws IOException {
        var text = new StringBuilder();
        for (Record line : lines) {
            text.append(Json.line(line)).append('\n');
        }
        write(locked.channel(), text.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void write(FileChannel channel, byte[] text) throws IOException {
        Channels.newOutputStream(channel).write(text);
        channel.force(false);
    }

    /** Deletes the journal; its forks are in the results by then. */
    void discard() throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public void close() throws IOException {
        locked.close();
    }
}
