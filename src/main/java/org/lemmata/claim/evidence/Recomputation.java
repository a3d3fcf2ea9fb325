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
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.file.FileTree;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.CellRun;
import org.lemmata.sweep.Keep;
import org.lemmata.sweep.Trial;
import org.lemmata.track.CellRecord;
import org.lemmata.track.CellRecord.StepHash;

/**
 * A second run of a cell, to test whether this code on this machine reproduces the evidence.
 *
 * @param evidence the recorded run
 * @param seeds the recorded runs of all seeds, including this cell
 * @param now the second run; null if there is nothing to compare ({@code unfinished})
 * @param isPart whether only the first steps were run; {@code now} then has the evidence's measurements
 * @param unfinished the reason why {@code now} is null; otherwise empty
 */
public record Recomputation(
        Cell cell,
        CellRecord evidence,
        List<CellRecord> seeds,
        @Nullable CellRecord now,
        boolean isPart,
        String unfinished) {

    /**
     * The relative tolerance for measurements of two machines. Sums in another order differ in their last bits, and
     * training amplifies the difference: after 128 steps of one seed of parity.comparison.bits, losses with vectors of
     * 512 and of 256 bits differed by 95%.
     */
    static final double TOLERANCE = 0.02;

    private static final int FIRST_STEPS = 8;

    /** The relative tolerance for losses during the first steps: in 45 cells, losses differed by at most 8.3e-7. */
    private static final double FIRST_TOLERANCE = 1e-5;

    private static final int LEAST_SEEDS = 5;

    private static final double PREDICTION_ERROR = 0.01;

    private static final String NUMERICS = "numerics";

    /**
     * The properties on which bits depend: the vector width, the JDK, the processor's instruction set and
     * {@link Trial#numerics}.
     */
    private static final List<String> ENVIRONMENT_OF_BITS = List.of("simd", "jdk", "architecture", NUMERICS);

    /**
     * Units of measurements that may change arbitrarily if a last bit changes: the step at which a run ends or is best,
     * each bracket of a sampled completion, and single weights. Such measurements are compared only if all bits must be
     * equal.
     */
    private static final Set<String> CHAOTIC_UNITS = Set.of("steps", "tokens", "completions", "weights");

    private static final String STOPPED = "not done in the time that it has";

    Recomputation(Cell cell, CellRecord evidence, List<CellRecord> seeds) {
        this(cell, evidence, seeds, null, false, STOPPED);
    }

    Recomputation run(int threads, BooleanSupplier stop) throws IOException {
        return run(threads, stop, new ArrayList<>());
    }

    /**
     * Runs the first steps of the cell again in a temporary directory: as many as the time allows, but at least up to
     * the first step with a recorded hash. The evidence must have hashes.
     *
     * @param stop whether to stop immediately
     * @param isEnough whether the time is over
     */
    Recomputation runPart(int threads, BooleanSupplier stop, BooleanSupplier isEnough) throws IOException {
        var hashes = new ArrayList<StepHash>();
        long last = evidence.run().hashes().getLast().step();
        BooleanSupplier ends = () -> stop.getAsBoolean()
                || (!hashes.isEmpty()
                        && (isEnough.getAsBoolean() || hashes.getLast().step() >= last));
        long start = System.nanoTime();
        Recomputation stopped = run(threads, ends, hashes);
        if (stopped.now != null || !stopped.unfinished.equals(STOPPED) || hashes.isEmpty()) {
            return stopped;
        }
        var run = new CellRecord.Run(1, (System.nanoTime() - start) * 1e-9, CellRun.environment(cell), hashes);
        return new Recomputation(cell, evidence, seeds, evidence.withRun(run), true, "");
    }

    private Recomputation run(int threads, BooleanSupplier stop, List<StepHash> hashes) throws IOException {
        Path directory = Files.createTempDirectory("lemmata-cell-");
        try {
            return ended(CellRun.run(cell, new CellRun.Limits(threads, 0, Keep.RESULTS), directory, stop, hashes));
        } catch (OutOfMemoryError e) {
            // No memory was left, not even for a report.
            return unfinished("out of memory");
        } finally {
            FileTree.delete(directory);
        }
    }

    /**
     * This recomputation with the report of its run. Lack of memory and file errors are problems of this machine and do
     * not contradict the evidence.
     */
    Recomputation ended(CellRun.Report report) {
        CellRecord record = report.record();
        if (record == null) {
            return this;
        }
        boolean isOfMachine = report.ending() == CellRun.Report.Ending.OUT_OF_MEMORY || report.isOfFiles();
        return isOfMachine
                ? unfinished(String.valueOf(record.reason()))
                : new Recomputation(cell, evidence, seeds, record, false, "");
    }

    private Recomputation unfinished(String why) {
        return new Recomputation(cell, evidence, seeds, null, false, why);
    }

    /** Whether both runs must have the same bits. */
    public boolean isBitwise() {
        return now != null
                && ENVIRONMENT_OF_BITS.stream()
                        .allMatch(key -> environment(evidence, key).equals(environment(now, key)));
    }

    private static String environment(CellRecord record, String key) {
        Map<String, String> environment = record.run().environment();
        if (key.equals("architecture")) {
            String system = environment.getOrDefault("os", "");
            return system.substring(system.lastIndexOf(' ') + 1);
        }
        return environment.getOrDefault(key, key.equals(NUMERICS) ? "1" : "");
    }

    /** Descriptions of all differences from the evidence; empty if there are none or {@code now} is null. */
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
            if (got == null && !isBitwise() && CHAOTIC_UNITS.contains(expected.unit())) {
                continue;
            }
            if (got == null || !(isBitwise() ? expected.equals(got) : agree(expected, got) || isPredicted(got))) {
                mismatches.add(expected.name() + ": expected " + text(expected) + ", got "
                        + (got == null ? "none" : text(got)));
            }
        }
        for (Measurement got : now.measurements()) {
            boolean mayBeNew = !isBitwise() && CHAOTIC_UNITS.contains(got.unit());
            if (!mayBeNew && evidence.measurement(got.name()).isEmpty()) {
                mismatches.add(got.name() + ": expected none, got " + text(got));
            }
        }
        return mismatches;
    }

    /**
     * The differing hashes or losses. If bits may differ, losses during the first steps must be close to the evidence;
     * later losses must be close to the evidence or in the prediction interval of the seeds.
     */
    private List<String> hashMismatches(CellRecord got) {
        var mismatches = new ArrayList<String>();
        Map<Long, StepHash> taken =
                got.run().hashes().stream().collect(Collectors.toMap(StepHash::step, Function.identity()));
        for (StepHash expected : evidence.run().hashes()) {
            StepHash found = taken.get(expected.step());
            boolean agrees = found == null
                    ? isPart || !isBitwise()
                    : isBitwise()
                            ? expected.equals(found)
                            : expected.step() <= FIRST_STEPS
                                    ? isNear(expected.loss(), found.loss(), FIRST_TOLERANCE)
                                    : isNear(expected.loss(), found.loss(), TOLERANCE) || isPredicted(found);
            if (!agrees) {
                mismatches.add("after step " + expected.step() + ": expected " + text(expected) + ", got "
                        + (found == null ? "none" : text(found)));
            }
        }
        return mismatches;
    }

    private boolean isPredicted(Measurement got) {
        return isPredicted(
                got.value(),
                seeds.stream()
                        .flatMap(seed -> seed.measurement(got.name()).stream())
                        .mapToDouble(Measurement::value));
    }

    private boolean isPredicted(StepHash got) {
        return isPredicted(
                got.loss(),
                seeds.stream()
                        .flatMap(seed -> seed.run().hashes().stream())
                        .filter(hash -> hash.step() == got.step())
                        .mapToDouble(StepHash::loss));
    }

    /**
     * Whether a value lies in the prediction interval of the recorded seeds, or is finite and the seeds are too few.
     * The error probability is divided by the number of compared values, so the intervals hold for all of them at once.
     */
    private boolean isPredicted(double value, DoubleStream recorded) {
        double[] values = recorded.filter(Double::isFinite).toArray();
        if (values.length < LEAST_SEEDS) {
            return Double.isFinite(value);
        }
        int compared = evidence.measurements().size() + evidence.run().hashes().size();
        Interval interval = Interval.prediction(PREDICTION_ERROR / compared, values);
        return interval.low() <= value && value <= interval.high();
    }

    private static boolean isNear(double a, double b, double tolerance) {
        double slack = tolerance * Math.max(Math.abs(a), Math.abs(b));
        return Double.compare(a, b) == 0 || (Double.isFinite(slack) && Math.abs(a - b) <= slack);
    }

    private static String text(StepHash hash) {
        return "loss " + hash.loss() + " and weights " + hash.weights();
    }

    private static boolean agree(Measurement a, Measurement b) {
        if (!a.unit().equals(b.unit())) {
            return false;
        }
        if (CHAOTIC_UNITS.contains(a.unit()) || Double.compare(a.value(), b.value()) == 0) {
            return true;
        }
        double slack = TOLERANCE * Math.max(Math.abs(a.value()), Math.abs(b.value()));
        return Double.isFinite(slack)
                && a.interval().low() - slack <= b.interval().high()
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
                    + (isBitwise() ? "the same bits as in the evidence" : agreement() + " " + elsewhere());
        }
        return name + ": " + String.join("; ", mismatches) + (isBitwise() ? "" : " " + elsewhere());
    }

    private String agreement() {
        return seeds.size() < LEAST_SEEDS
                ? (evidence.run().hashes().isEmpty()
                                ? ""
                                : "its first " + FIRST_STEPS + " steps near the evidence, the rest ")
                        + "not comparable on these lanes: fewer than " + LEAST_SEEDS + " seeds are recorded"
                : "near the evidence or within the 99% prediction interval of its " + seeds.size() + " seeds";
    }

    private String elsewhere() {
        return ENVIRONMENT_OF_BITS.stream()
                .filter(key -> !environment(evidence, key).equals(environment(Objects.requireNonNull(now), key)))
                .map(key -> key + " " + environment(evidence, key) + " there, "
                        + environment(Objects.requireNonNull(now), key) + " here")
                .collect(Collectors.joining("; ", "(", ")"));
    }
}
