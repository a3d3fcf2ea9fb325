package org.lemmata.sweep;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.lemmata.track.CellRecord;

/** Sweeps of {@link ProbeTrial}, and their results. */
final class Probes {

    static final CellRun.Limits LIMITS = new CellRun.Limits(1, 2, Keep.RESULTS);

    private Probes() {}

    /** A sweep of the trial {@code probe}: {@code keys} are those of a sweep file. */
    static Sweep sweep(Path directory, String keys) throws IOException {
        return Sweep.read(
                Files.writeString(directory.resolve("probe.yaml"), "trial: probe\n" + keys), List.of(), Sweep.FULL);
    }

    /** The single cell with these settings. */
    static Cell cell(Path directory, String settings) throws IOException {
        return sweep(directory, "base: {" + settings + "}").cells().getFirst();
    }

    /** Runs a sweep here, one cell at a time. */
    static SweepRun.Progress run(Sweep sweep, Path out) throws IOException {
        try (SweepDirectory directory = SweepDirectory.open(out)) {
            return run(sweep, new LocalEngine(1, 1L << 30), directory);
        }
    }

    static SweepRun.Progress run(Sweep sweep, SweepEngine engine, SweepDirectory directory) throws IOException {
        return new SweepRun(sweep, engine, Map.of()).run(directory, () -> false, (progress, ended) -> {});
    }

    /** The content of a record that does not depend on how and where the cell ran. */
    static String content(Optional<CellRecord> record) {
        return record.map(CellRecord::toJson).orElse("none").replaceFirst(",\"run\":\\{.*", "");
    }

    static String content(CellRecord record) {
        return content(Optional.of(record));
    }
}
