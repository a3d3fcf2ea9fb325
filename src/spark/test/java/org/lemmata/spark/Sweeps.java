package org.lemmata.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.lemmata.sweep.Sweep;
import org.lemmata.sweep.SweepDirectory;
import org.lemmata.sweep.SweepEngine;
import org.lemmata.sweep.SweepRun;
import org.lemmata.track.CellRecord;

/** Sweeps on one engine or the other, and what of their results has to be the same. */
final class Sweeps {

    private Sweeps() {}

    static Sweep read(Path directory, String yaml) throws IOException {
        Path file = Files.writeString(directory.resolve("sweep-file.yaml"), yaml);
        return Sweep.read(file, List.of(), Sweep.FULL);
    }

    static SweepRun.Progress onSpark(Sweep sweep, Path out, Map<String, String> options) throws IOException {
        return onSpark(sweep, out, options, () -> false);
    }

    static SweepRun.Progress onSpark(Sweep sweep, Path out, Map<String, String> options, BooleanSupplier stop)
            throws IOException {
        return run(sweep, "spark", out, options, stop);
    }

    static SweepRun.Progress locally(Sweep sweep, Path out) throws IOException {
        return run(sweep, "local", out, Map.of(), () -> false);
    }

    private static SweepRun.Progress run(
            Sweep sweep, String engine, Path out, Map<String, String> options, BooleanSupplier stop)
            throws IOException {
        try (SweepDirectory directory = SweepDirectory.open(out)) {
            return new SweepRun(sweep, SweepEngine.named(engine), options).run(directory, stop, (_, _) -> {});
        }
    }

    /** Every line of results.jsonl. */
    static List<CellRecord> records(Path out) throws IOException {
        return CellRecord.readAll(out.resolve(SweepDirectory.RESULTS));
    }

    /** The lines of results.jsonl that are there by now. */
    static int count(Path out) {
        Path file = out.resolve(SweepDirectory.RESULTS);
        try {
            return Files.exists(file) ? Files.readAllLines(file).size() : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines without what differs from run to run, by cell; a cell with two lines is refused. */
    static Map<String, String> results(Path out) throws IOException {
        var lines = new TreeMap<String, String>();
        for (CellRecord record : records(out)) {
            CellRecord withoutRun = record.withRun(new CellRecord.Run(1, 0, Map.of()));
            if (lines.put(record.cell(), withoutRun.toJson()) != null) {
                throw new AssertionError("two lines of the cell " + record.cell());
            }
        }
        return lines;
    }
}
