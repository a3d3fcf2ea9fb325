package org.lemmata.claim.evidence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.FileTree;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.CellLimits;
import org.lemmata.sweep.CellReport;
import org.lemmata.sweep.CellRun;
import org.lemmata.sweep.Keep;
import org.lemmata.sweep.Trial;
import org.lemmata.track.CellRecord;
import org.lemmata.track.CellRecord.StepHash;

/**
 * A cell of the evidence, run again: whether this code on this machine still gives what the figure is judged from.
 *
 * @param cell the cell
 * @param evidence what there was of it
 * @param now what came of it; null if it did not come to its end, or to a step that the evidence knows
 * @param isPart whether only its first steps were run: {@code now} has the evidence's measurements then
 * @param unfinished why it did not, in words; empty if it did
 */
public record Recomputation(
        Cell cell, CellRecord evidence, @Nullable CellRecord now, boolean isPart, String unfinished) {

    /**
     * What two machines may differ by, of the greater of two values. Sums in another order differ in their last bits,
     * and training amplifies that: after 500 steps of figure 3 of Richard (2024) on 512 and on 256 bits the losses of
     * the last batch differed by at most 2e-7 of themselves at width 16, but by up to 1e-2 at width 128; no rate
     * differed.
     */
    public static final double TOLERANCE = 0.02;

    private static final String NUMERICS = "numerics";

    /** What decides bits: the vector width, the JDK, the instructions below its intrinsics, {@link Trial#numerics}. */
    private static final List<String> DECISIVE = List.of("simd", "jdk", "architecture", NUMERICS);

    /**
     * Where a run ends or is best is a comparison, which a last bit can tip, and so is each bracket of a sampled
     * completion; single weights are what training amplifies last bits to. Compared where bits are, nowhere else.
     */
    private static final Set<String> TIPPED = Set.of("steps", "tokens", "completions", "weights");

    private static final String STOPPED = "not done in the time that it has";

    /** Runs a cell again in a directory that is gone afterwards. */
    public static Recomputation of(Cell cell, CellRecord evidence, int threads, BooleanSupplier stop)
            throws IOException {
        return of(cell, evidence, threads, stop, new ArrayList<>());
    }

    /**
     * Runs the first steps of a cell again, in a directory that is gone afterwards: as many as there is time for, and
     * at least up to the first that the evidence knows.
     *
     * @param evidence has hashes
     * @param stop whether to end at once
     * @param isEnough whether the time is over
     */
    public static Recomputation ofPart(
            Cell cell, CellRecord evidence, int threads, BooleanSupplier stop, BooleanSupplier isEnough)
            throws IOException {
        var hashes = new ArrayList<StepHash>();
        long last = evidence.run().hashes().getLast().step();
        BooleanSupplier ends = () -> stop.getAsBoolean()
                || (!hashes.isEmpty()
                        && (isEnough.getAsBoolean() || hashes.getLast().step() >= last));
        long start = System.nanoTime();
        Recomputation stopped = of(cell, evidence, threads, ends, hashes);
        if (stopped.now != null || !stopped.unfinished.equals(STOPPED) || hashes.isEmpty()) {
            return stopped;
        }
        var run = new CellRecord.Run(1, (System.nanoTime() - start) * 1e-9, CellRun.environment(cell), hashes);
        return new Recomputation(cell, evidence, evidence.withRun(run), true, "");
    }

    private static Recomputation of(
            Cell cell, CellRecord evidence, int threads, BooleanSupplier stop, List<StepHash> hashes)
            throws IOException {
        Path directory = Files.createTempDirectory("lemmata-cell-");
        try {
            CellReport report = CellRun.run(cell, new CellLimits(threads, 0, Keep.RESULTS), directory, stop, hashes);
            return of(cell, evidence, report);
        } catch (OutOfMemoryError e) {
            // There was no memory left even for a report.
            return unfinished(cell, evidence, "out of memory");
        } finally {
            FileTree.delete(directory);
        }
    }

    /** A want of memory and a fault with files are of this machine: they say nothing of the evidence. */
    static Recomputation of(Cell cell, CellRecord evidence, CellReport report) {
        CellRecord record = report.record();
        if (record == null) {
            return unfinished(cell, evidence, STOPPED);
        }
        boolean isOfMachine = report.ending() == CellReport.Ending.OUT_OF_MEMORY || report.isOfFiles();
        return isOfMachine
                ? unfinished(cell, evidence, String.valueOf(record.reason()))
                : new Recomputation(cell, evidence, record, false, "");
    }

    private static Recomputation unfinished(Cell cell, CellRecord evidence, String why) {
        return new Recomputation(cell, evidence, null, false, why);
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
        return environment.getOrDefault(key, key.equals(NUMERICS) ? "1" : "");
    }

    /** Every measurement that is not as the evidence has it, in words; none of a cell that did not come to its end. */
    public List<String> mismatches() {
        if (now == null) {
            return List.of();
        }
        if (now.status() == CellRecord.Status.FAILED) {
            return List.of("expected a result, got a failure: " + now.reason());
        }
        List<String> mismatches = hashMismatches(now);
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

    /** Elsewhere the loss of the first steps has to be near, that of all steps need not: training amplifies. */
    private List<String> hashMismatches(CellRecord got) {
        var mismatches = new ArrayList<String>();
        if (!isPart && !isBitwise()) {
            return mismatches;
        }
        Map<Long, StepHash> taken =
                got.run().hashes().stream().collect(Collectors.toMap(StepHash::step, Function.identity()));
        for (StepHash expected : evidence.run().hashes()) {
            StepHash found = taken.get(expected.step());
            boolean agrees = found == null
                    ? isPart
                    : isBitwise() ? expected.equals(found) : isNear(expected.loss(), found.loss());
            if (!agrees) {
                mismatches.add("after step " + expected.step() + ": expected " + text(expected) + ", got "
                        + (found == null ? "none" : text(found)));
            }
        }
        return mismatches;
    }

    private static boolean isNear(double a, double b) {
        return Double.compare(a, b) == 0 || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
    }

    private static String text(StepHash hash) {
        return "loss " + hash.loss() + " and weights " + hash.weights();
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
            return name + ": " + unfinished + ", not compared"
                    + (unfinished.equals(STOPPED) ? "; --cell " + cell.id() + " computes it whole" : "");
        }
        List<String> mismatches = mismatches();
        if (mismatches.isEmpty()) {
            List<StepHash> hashes = now.run().hashes();
            return name + ": "
                    + (isPart
                            ? "its first " + hashes.getLast().step() + " steps, loss and weights at " + hashes.size()
                                    + " of them, "
                            : evidence.measurements().size() + " measurements, ")
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
