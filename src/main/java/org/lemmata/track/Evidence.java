package org.lemmata.track;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import org.lemmata.file.AtomicFile;
import org.lemmata.file.LockedFile;
import org.lemmata.track.CellRecord.Status;

/**
 * The finished cells from which claims are judged: {@code <paper>/results.jsonl}, one line per cell, sorted by id so
 * that a changed cell is a changed line. The repository contains them, because computing them takes minutes to hours.
 *
 * @param directory the directory of all papers
 * @param elsewhere papers of the claims of plug-ins, whose evidence is in {@code evidence} of the current directory
 */
public record Evidence(Path directory, Set<String> elsewhere) {

    private static final String NAME = "evidence";
    private static final String RESULTS = "results.jsonl";
    private static final String LOCK = ".lock";
    private static final long POLL_MILLIS = 10;

    public Evidence {
        elsewhere = Set.copyOf(elsewhere);
    }

    public Evidence(Path directory) {
        this(directory, Set.of());
    }

    /**
     * The evidence of the checkout with the running code, otherwise the evidence next to the directory of that code, in
     * both cases independent of the current directory. If there is neither, the evidence of the current directory.
     */
    public static Evidence ofCheckout() {
        return ofCheckout(Set.of());
    }

    /** As {@link #ofCheckout()}, but papers in {@code elsewhere} have their evidence in the current directory. */
    public static Evidence ofCheckout(Set<String> elsewhere) {
        Path beside = RunRecord.codeDirectory().resolveSibling(NAME);
        Path other = Files.isDirectory(beside) ? beside : Path.of(NAME);
        return new Evidence(RunRecord.checkout().map(root -> root.resolve(NAME)).orElse(other), elsewhere);
    }

    public Path directory(String paper) {
        return (elsewhere.contains(paper) ? Path.of(NAME) : directory).resolve(paper);
    }

    public Path file(String paper) {
        return directory(paper).resolve(RESULTS);
    }

    /**
     * The records of a paper by cell; empty if the file does not exist.
     *
     * @throws IOException if a line is malformed; the message names file, line and what was expected
     */
    public SequencedMap<String, CellRecord> read(String paper) throws IOException {
        var records = new TreeMap<String, CellRecord>();
        for (CellRecord record : CellRecord.readAll(file(paper))) {
            records.put(record.cell(), record);
        }
        return records;
    }

    /**
     * Adds the finished cells of one run, which replace older records. If a cell failed in this run, its older record
     * is removed, because the run did not confirm it. Waits while another process or thread adds cells.
     */
    public void add(String paper, Collection<CellRecord> records) throws IOException {
        Path file = Files.createDirectories(directory(paper)).resolve(LOCK);
        // Without the lock, two processes would overwrite each other's cells.
        try (var _ = lock(file)) {
            try {
                Map<String, CellRecord> all = read(paper);
                for (CellRecord record : records) {
                    if (record.status() == Status.DONE) {
                        all.put(record.cell(), record);
                    } else {
                        all.remove(record.cell());
                    }
                }
                write(paper, all.values());
            } finally {
                // Deleted before the lock is released, so that this is not the file of the next holder.
                Files.deleteIfExists(file);
            }
        }
    }

    private static LockedFile lock(Path file) throws IOException {
        Optional<LockedFile> locked = LockedFile.open(file);
        while (locked.isEmpty()) {
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            }
            locked = LockedFile.open(file);
        }
        return locked.get();
    }

    private void write(String paper, Collection<CellRecord> records) throws IOException {
        AtomicFile.write(file(paper), writer -> {
            for (CellRecord record : records) {
                writer.write(record.toJson());
                writer.write('\n');
            }
        });
    }
}
