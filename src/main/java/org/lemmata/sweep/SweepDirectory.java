package org.lemmata.sweep;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.Contents;
import org.lemmata.file.CsvText;
import org.lemmata.file.LockedFile;
import org.lemmata.file.MalformedFileException;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;
import org.lemmata.track.CellRecord.Status;

/**
 * The directory of a sweep; only one sweep at a time may write to it.
 *
 * <p>A cell is done if its result.json exists; this file is written atomically. results.jsonl is append-only and has a
 * line for each finished cell and each failure. If the process is killed before it appends the line of a result, the
 * next sweep with this cell in the directory appends it.
 */
public final class SweepDirectory implements AutoCloseable {

    public static final String SWEEP = "sweep.yaml";

    /** The name of the file with a line for each finished cell and each failure. */
    public static final String RESULTS = "results.jsonl";

    public static final String TABLE = "results.csv";

    private static final String LOCK = ".lock";
    private static final String CELLS = "cells";
    private static final String RESULT = "result.json";
    private static final String TRACE = "failure.txt";

    /** The columns at the end of the table. */
    private static final List<String> OF_RUN = List.of("seconds", "attempts", "reason");

    /** The files that may exist if a sweep was killed at its beginning. */
    private static final Pattern FIRST_FILES = Pattern.compile("\\.lock|results\\.jsonl|\\.sweep\\.yaml\\..*\\.part");

    private final Path directory;
    private final LockedFile lock;
    private final FileChannel results;

    private final SequencedMap<String, CellRecord> records = new LinkedHashMap<>();

    private SweepDirectory(Path directory, LockedFile lock, FileChannel results) {
        this.directory = directory;
        this.lock = lock;
        this.results = results;
    }

    /**
     * Opens and locks a directory until {@link #close}; creates it if it does not exist.
     *
     * @throws IllegalArgumentException if it has files but no sweep
     * @throws IOException if another sweep has it open, or its results are malformed
     */
    public static SweepDirectory open(Path directory) throws IOException {
        requireSweepOrEmpty(directory);
        Files.createDirectories(directory);
        LockedFile lock = LockedFile.open(directory.resolve(LOCK))
                .orElseThrow(() -> new MalformedFileException(
                        directory, "", "expected no other sweep in this directory, got one"));
        FileChannel results = null;
        try {
            AtomicFile.discardLeftovers(directory, name -> name.equals(SWEEP) || name.equals(TABLE));
            results = FileChannel.open(directory.resolve(RESULTS), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            var opened = new SweepDirectory(directory, lock, results);
            opened.readResults();
            return opened;
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            if (results != null) {
                results.close();
            }
            throw e;
        }
    }

    private static void requireSweepOrEmpty(Path directory) throws IOException {
        if (Files.exists(directory.resolve(SWEEP)) || !Files.exists(directory)) {
            return;
        }
        Refuse.when(!Files.isDirectory(directory), "--out", "a directory", "the file " + directory);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Path name = file.getFileName();
                boolean isFirst = FIRST_FILES.matcher(name.toString()).matches();
                Refuse.when(
                        !isFirst || !Files.exists(directory.resolve(LOCK)),
                        "--out",
                        "a directory that is new, empty or of a sweep",
                        directory + " with " + name);
            }
        }
    }

    /** Reads results.jsonl, and removes an incomplete last line. */
    private void readResults() throws IOException {
        Path file = directory.resolve(RESULTS);
        int whole = readLines(file, Files.readAllBytes(file), records);
        results.truncate(whole);
        results.position(whole);
    }

    /**
     * The last record of every cell in a directory, by the cell's id. Another sweep may be writing to the directory.
     *
     * @throws IOException if the results cannot be read, or are malformed
     */
    public static Map<String, CellRecord> recorded(Path directory) throws IOException {
        Path file = directory.resolve(RESULTS);
        var records = new LinkedHashMap<String, CellRecord>();
        if (Files.exists(file)) {
            readLines(file, Contents.of(file), records);
        }
        return records;
    }

    /**
     * Adds the records of all whole lines, and returns the number of their bytes. A last line without a line break is
     * incomplete: another sweep is writing it, or a killed process left it.
     */
    private static int readLines(Path file, byte[] bytes, Map<String, CellRecord> records) throws IOException {
        int whole = Contents.endOfLines(bytes);
        CellRecord.parseAll(file, Contents.text(file, bytes, whole))
                .forEach(record -> records.put(record.cell(), record));
        return whole;
    }

    static Path ofCell(Path sweep, String cell) {
        return sweep.resolve(CELLS).resolve(cell);
    }

    public Path path() {
        return directory;
    }

    void writeConfiguration(String yaml) throws IOException {
        AtomicFile.write(directory.resolve(SWEEP), yaml);
    }

    /**
     * The last record of a cell: its result or its failure. A result that is missing in results.jsonl, because the
     * process was killed, is appended. If a sweep with other axes recorded the cell, a line with the present axes is
     * appended.
     */
    synchronized Optional<CellRecord> record(Cell cell) throws IOException {
        CellRecord known = records.get(cell.id());
        CellRecord done = known != null && known.status() == Status.DONE ? known : result(cell);
        if (done == null) {
            return Optional.ofNullable(known);
        }
        CellRecord record = done.axes().equals(cell.axes()) ? done : done.withAxes(cell.axes());
        if (!record.equals(known)) {
            append(record);
        }
        return Optional.of(record);
    }

    private @Nullable CellRecord result(Cell cell) throws IOException {
        Path file = ofCell(directory, cell.id()).resolve(RESULT);
        if (!Files.exists(file)) {
            return null;
        }
        CellRecord found = CellRecord.parse(file, "", Contents.text(file));
        if (!found.cell().equals(cell.id()) || found.status() != Status.DONE) {
            throw new MalformedFileException(
                    file, "", "expected the result of the cell " + cell.id() + ", got another record");
        }
        return found;
    }

    /**
     * Records how a cell ended, atomically; a result is recorded only once. Other threads that record cells wait while
     * the line is appended, but not while the files are forced to disk.
     *
     * @param trace the stack trace of a failure; null for a result
     */
    void add(CellRecord record, @Nullable String trace) throws IOException {
        if (isDone(record.cell())) {
            return;
        }
        Path cell = ofCell(directory, record.cell());
        if (trace != null) {
            AtomicFile.write(cell.resolve(TRACE), trace);
        } else {
            Files.deleteIfExists(cell.resolve(TRACE));
        }
        if (record.status() == Status.DONE) {
            AtomicFile.write(cell.resolve(RESULT), record.toJson() + "\n");
        }
        synchronized (this) {
            if (!isDone(record.cell())) {
                append(record);
            }
        }
    }

    private synchronized boolean isDone(String cell) {
        CellRecord known = records.get(cell);
        return known != null && known.status() == Status.DONE;
    }

    private synchronized void append(CellRecord record) throws IOException {
        Path file = directory.resolve(RESULTS);
        MalformedFileException.when(
                !Files.exists(file), file, "", "the file that this sweep writes", "none: it was removed");
        long end = results.position();
        ByteBuffer line = ByteBuffer.wrap((record.toJson() + "\n").getBytes(StandardCharsets.UTF_8));
        // Memory for the record is allocated before the line is written, because a written record must also be in the
        // map.
        CellRecord before = records.put(record.cell(), record);
        try {
            while (line.hasRemaining()) {
                results.write(line);
            }
        } catch (IOException | RuntimeException | Error e) {
            if (before == null) {
                records.remove(record.cell());
            } else {
                records.put(record.cell(), before);
            }
            results.truncate(end);
            results.position(end);
            if (e instanceof IOException) {
                // The exception of a channel does not name the file.
                throw new FileSystemException(file.toString(), null, "cannot be written: " + e.getMessage());
            }
            throw e;
        }
    }

    synchronized void writeTable(Collection<Cell> cells) throws IOException {
        results.force(true);
        writeTable(
                directory.resolve(TABLE),
                cells.stream()
                        .flatMap(cell -> Stream.ofNullable(records.get(cell.id())))
                        .toList());
    }

    /**
     * Writes records as a table in CSV (RFC 4180, but with LF as line break): one line per cell, one column per axis
     * and measurement, and two columns per interval that is not a single point. A measurement with the name of another
     * column is called {@code measured.NAME}.
     */
    static void writeTable(Path file, Collection<CellRecord> records) throws IOException {
        Set<String> columns = new LinkedHashSet<>();
        columns.add("cell");
        columns.add("status");
        records.forEach(record -> columns.addAll(record.axes().keySet()));
        columns.add("seed");
        Set<String> others = new HashSet<>(columns);
        others.addAll(OF_RUN);
        List<Map<String, Object>> rows =
                records.stream().map(record -> row(record, others)).toList();
        rows.forEach(row ->
                row.keySet().stream().filter(name -> !OF_RUN.contains(name)).forEach(columns::add));
        columns.addAll(OF_RUN);
        AtomicFile.write(file, writer -> {
            if (!rows.isEmpty()) {
                writer.write(CsvText.line(List.copyOf(columns)) + "\n");
            }
            for (Map<String, Object> row : rows) {
                writer.write(CsvText.line(columns.stream()
                                .map(name -> row.getOrDefault(name, ""))
                                .toList())
                        + "\n");
            }
        });
    }

    private static Map<String, Object> row(CellRecord record, Set<String> others) {
        var row = new LinkedHashMap<String, Object>();
        row.put("cell", record.cell());
        row.put("status", record.status().name().toLowerCase(Locale.ROOT));
        row.putAll(record.axes());
        row.put("seed", record.seed());
        for (Measurement measurement : record.measurements()) {
            String name = others.contains(measurement.name()) ? "measured." + measurement.name() : measurement.name();
            row.put(name, measurement.value());
            if (measurement.interval().low() < measurement.interval().high()) {
                row.put(name + ".low", measurement.interval().low());
                row.put(name + ".high", measurement.interval().high());
            }
        }
        row.put("seconds", record.run().seconds());
        row.put("attempts", record.run().attempts());
        row.put("reason", Objects.requireNonNullElse(record.reason(), ""));
        return row;
    }

    /** The last record of every cell of this sweep and of earlier ones in this directory, by the cell's id. */
    public synchronized Map<String, CellRecord> records() {
        return new LinkedHashMap<>(records);
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            results.close();
        }
    }
}
