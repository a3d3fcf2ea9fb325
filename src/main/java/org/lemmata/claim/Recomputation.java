package org.lemmata.claim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.FileTree;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.CellLimits;
import org.lemmata.sweep.CellReport;
import org.lemmata.sweep.CellRun;
import org.lemmata.sweep.Keep;
import org.lemmata.track.CellRecord;

/**
 * A cell of the evidence, run again: whether this code on this machine still gives what the figure is judged from.
 *
 * @param cell the cell
 * @param evidence what there was of it
 * @param now what came of it; null if it did not come to its end
 * @param unfinished why it did not, in words; empty if it did
 */
public record Recomputation(
        Cell cell, CellRecord evidence, @Nullable CellRecord now, String unfinished) {

    /**
     * What two machines may differ by, of the greater of two values. Sums in another order differ in their last bits,
     * and training amplifies that: after 500 steps of figure 3 of Richard (2024) on 512 and on 256 bits the losses of
     * the last batch differed by at most 2e-7 of themselves at width 16, but by up to 1e-2 at width 128; no rate
     * differed.
     */
    public static final double TOLERANCE = 0.02;

    /** What decides bits: the vector width, the JDK, and the instructions below its intrinsics. */
    private static final List<String> DECISIVE = List.of("simd", "jdk", "architecture");

    /**
     * Where a run ends or is best is a comparison, which a last bit can tip, and so is each bracket of a sampled
     * completion; single weights are what training amplifies last bits to. Compared where bits are, nowhere else.
     */
    private static final Set<String> TIPPED = Set.of("steps", "tokens", "completions", "weights");

    /** Runs a cell again in a directory that is gone afterwards. */
    public static Recomputation of(Cell cell, CellRecord evidence, int threads, BooleanSupplier stop)
            throws IOException {
        Path directory = Files.createTempDirectory("lemmata-cell-");
        try {
            CellReport report = CellRun.run(cell, new CellLimits(threads, 0, Keep.RESULTS), directory, stop);
            return of(cell, evidence, report);
        } catch (OutOfMemoryError e) {
            // There was no memory left even for a report.
            return new Recomputation(cell, evidence, null, "out of memory");
        } finally {
            FileTree.delete(directory);
        }
    }

    /** A want of memory and a fault with files are of this machine: they say nothing of the evidence. */
    static Recomputation of(Cell cell, CellRecord evidence, CellReport report) {
        CellRecord record = report.record();
        if (record == null) {
            return new Recomputation(cell, evidence, null, "stopped before its end");
        }
        boolean isOfMachine = report.ending() == CellReport.Ending.OUT_OF_MEMORY || report.isOfFiles();
        return isOfMachine
                ? new Recomputation(cell, evidence, null, String.valueOf(record.reason()))
                : new Recomputation(cell, evidence, record, "");
    }

    /** Whether both ran where the bits have to be the same. */
    public boolean isBitwise() {
        return now != null
                && DECISIVE.stream().allMatch(key -> decisive(evidence, key).equals(decisive(now, key)));
    }

    private static String decisive(CellRecord record, String key) {
        Map<String, String> environment = record.run().environment();
        if (key.equals("architecture")) {
            String system = environment.getOrDefault("os", "");
            return system.substring(system.lastIndexOf(' ') + 1);
        }
        return environment.getOrDefault(key, "");
    }

    /** Every measurement that is not as the evidence has it, in words; none of a cell that did not come to its end. */
    public List<String> mismatches() {
        if (now == null) {
            return List.of();
        }
        if (now.status() == CellRecord.Status.FAILED) {
            return List.of("expected a result, got a failure: " + now.reason());
        }
        var mismatches = new ArrayList<String>();
        for (Measurement expected : evidence.measurements()) {
            Measurement got = now.measurement(expected.name()).orElse(null);
            if (got == null && !isBitwise() && TIPPED.contains(expected.unit())) {
                continue;
            }
            if (got == null || !(isBitwise() ? expected.equals(got) : agree(expected, got))) {
                mismatches.add(expected.name() + ": expected " + text(expected) + ", got "
                        + (got == null ? "none" : text(got)));
            }
        }
        for (Measurement got : now.measurements()) {
            boolean mayBeNew = !isBitwise() && TIPPED.contains(got.unit());
            if (!mayBeNew && evidence.measurement(got.name()).isEmpty()) {
                mismatches.add(got.name() + ": expected none, got " + text(got));
            }
        }
        return mismatches;
    }

    /** Whether the intervals meet once the tolerance has widened them. */
    private static boolean agree(Measurement a, Measurement b) {
        if (!a.unit().equals(b.unit())) {
            return false;
        }
        if (TIPPED.contains(a.unit()) || Double.compare(a.value(), b.value()) == 0) {
            return true;
        }
        double slack = TOLERANCE * Math.max(Math.abs(a.value()), Math.abs(b.value()));
        return a.interval().low() - slack <= b.interval().high()
                && b.interval().low() - slack <= a.interval().high();
    }

    private static String text(Measurement measurement) {
        boolean exact = measurement.interval().low() == measurement.interval().high();
        return measurement.value()
                + (exact
                        ? ""
                        : " [" + measurement.interval().low() + ", "
                                + measurement.interval().high() + "]")
                + (measurement.unit().isEmpty() ? "" : " " + measurement.unit());
    }

    /** What came of it, in one line. */
    public String describe() {
        var axes = new StringBuilder();
        cell.axes()
                .forEach((path, value) ->
                        axes.append(path).append('=').append(value).append(' '));
        String name = "cell " + cell.id() + " (" + axes + "seed=" + cell.seed() + ")";
        if (now == null) {
            return name + ": " + unfinished + ", not compared";
        }
        List<String> mismatches = mismatches();
        if (mismatches.isEmpty()) {
            return name + ": " + evidence.measurements().size() + " measurements, "
                    + (isBitwise()
                            ? "the same bits as in the evidence"
                            : "within the tolerance of the evidence " + elsewhere());
        }
        return name + ": " + String.join("; ", mismatches) + (isBitwise() ? "" : " " + elsewhere());
    }

    private String elsewhere() {
        return DECISIVE.stream()
                .filter(key -> !decisive(evidence, key).equals(decisive(Objects.requireNonNull(now), key)))
                .map(key -> key + " " + decisive(evidence, key) + " there, "
                        + decisive(Objects.requireNonNull(now), key) + " here")
                .collect(Collectors.joining("; ", "(", ")"));
    }
}
