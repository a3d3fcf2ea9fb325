package org.lemmata.sweep;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.lemmata.file.FileTree;
import org.lemmata.track.CellRecord;

/** A sweep of {@link SpinTrial}s that the local engine runs repeatedly, each time in a new directory. */
final class SpinSweep implements AutoCloseable {

    private final Path root;
    private final Sweep sweep;
    private final int cores;
    private int runs;

    private SpinSweep(Path root, Sweep sweep, int cores) {
        this.root = root;
        this.sweep = sweep;
        this.cores = cores;
    }

    /** Used in place of a sweep before setup. */
    static SpinSweep none() {
        return new SpinSweep(Path.of(""), new Sweep("spin", List.of(), 0, 1, 0, 0, Keep.RESULTS, ""), 1);
    }

    /** @param yaml the sweep, without its trial */
    static SpinSweep of(String yaml, int cores) throws IOException {
        Path root = Files.createTempDirectory("lemmata-sweep");
        Path file = Files.writeString(root.resolve("spin.yaml"), "trial: spin\n" + yaml);
        return new SpinSweep(root, Sweep.read(file, List.of(), Sweep.FULL), cores);
    }

    int cells() {
        return sweep.cells().size();
    }

    SweepRun.Progress run() throws IOException {
        runs++;
        try (SweepDirectory directory = SweepDirectory.open(directory())) {
            var engine = new LocalEngine(cores, Runtime.getRuntime().maxMemory());
            return new SweepRun(sweep, engine, Map.of()).run(directory, () -> false, (progress, ended) -> {});
        }
    }

    private Path directory() {
        return root.resolve("run-" + runs);
    }

    /**
     * Checks the results of the last run and removes its files.
     *
     * @throws IllegalStateException if a cell is missing, occurs twice, or has a wrong result
     */
    void checkAndRemove() throws IOException {
        List<CellRecord> records = CellRecord.readAll(directory().resolve(SweepDirectory.RESULTS));
        if (records.size() != cells()
                || records.stream().map(CellRecord::cell).distinct().count() != cells()) {
            throw new IllegalStateException("expected " + cells() + " cells, each once, got " + records.size());
        }
        for (CellRecord record : records) {
            int rounds = Integer.parseInt(record.settings().getOrDefault("rounds", ""));
            double expected = SpinTrial.value(SpinTrial.spin(record.seed(), rounds));
            double found = record.measurement("word").orElseThrow().value();
            if (found != expected) {
                throw new IllegalStateException("cell " + record.cell() + ": expected " + expected + ", got " + found);
            }
        }
        FileTree.delete(directory());
    }

    @Override
    public void close() throws IOException {
        FileTree.delete(root);
    }
}
