package org.lemmata.claim.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lemmata.claim.Budget;
import org.lemmata.claim.MadeUpCells;
import org.lemmata.claim.ProbeFigure;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Cell;
import org.lemmata.sweep.CellRun;
import org.lemmata.sweep.CellRun.Report.Ending;
import org.lemmata.sweep.Sweep;
import org.lemmata.track.CellRecord;
import org.lemmata.track.CellRecord.StepHash;

/** Compares a recomputed probe with its evidence, unchanged and with altered numbers and machines. */
class RecomputationTest {

    private Cell cell;
    private CellRecord truth;

    @BeforeEach
    void run() throws IOException {
        cell = ProbeFigure.GRID.sweep(Budget.STANDARD).cells().getFirst();
        truth = Objects.requireNonNull(recomputed(cell).now());
    }

    private static Recomputation recomputed(Cell cell) throws IOException {
        return new Recomputation(cell, MadeUpCells.done(cell, List.of()), List.of()).run(1, () -> false);
    }

    private static Recomputation recomputed(String behaviour) throws IOException {
        return recomputed(ProbeFigure.GRID
                .sweep("standard", List.of("base.behaviour=" + behaviour))
                .cells()
                .getFirst());
    }

    private Recomputation against(
            UnaryOperator<Measurement> planted, Map<String, String> environment, CellRecord... seeds)
            throws IOException {
        return new Recomputation(cell, planted(planted, environment), List.of(seeds)).run(1, () -> false);
    }

    private CellRecord[] seeds(Map<String, String> environment, double... shares) {
        return DoubleStream.of(shares)
                .mapToObj(share -> planted(moved(share), environment))
                .toArray(CellRecord[]::new);
    }

    private CellRecord planted(UnaryOperator<Measurement> planted, Map<String, String> environment) {
        return elsewhere(truth, environment, hash -> hash)
                .measured(truth.measurements().stream().map(planted).toList());
    }

    /** A record with other properties of the machine and other hashes. */
    private static CellRecord elsewhere(
            CellRecord record, Map<String, String> environment, UnaryOperator<StepHash> planted) {
        var all = new HashMap<>(record.run().environment());
        all.putAll(environment);
        return record.withRun(new CellRecord.Run(
                1, 60, all, record.run().hashes().stream().map(planted).toList()));
    }

    /** Changes the measurement "value" by a share of its value, and removes its interval. */
    private static UnaryOperator<Measurement> moved(double share) {
        return measurement -> measurement.name().equals("value")
                ? Measurement.exact("value", measurement.value() * (1 + share), "", 1)
                : measurement;
    }

    @Test
    void theSameCodeOnTheSameMachineGivesTheSameBits() throws IOException {
        Recomputation again =
                against(UnaryOperator.identity(), Map.of("commit", "another", "cpu", "another", "time", "another"));
        assertThat(again.isBitwise()).isTrue();
        assertThat(again.mismatches()).isEmpty();
        assertThat(again.describe())
                .isEqualTo("cell " + cell.id() + " (size=1 seed=1): 2 measurements, the same bits as in the evidence");
    }

    @Test
    void aNumberThatDiffersByItsLastBitIsAMismatchThere() throws IOException {
        double value = truth.measurement("value").orElseThrow().value();
        Recomputation again = against(
                measurement -> measurement.name().equals("value")
                        ? new Measurement("value", Math.nextUp(value), "", measurement.interval(), 1, null)
                        : measurement,
                Map.of());
        assertThat(again.mismatches())
                .singleElement()
                .asString()
                .startsWith("value: expected " + Math.nextUp(value) + " [")
                .contains("], got " + value + " [");
        assertThat(again.describe())
                .contains(cell.id())
                .endsWith(again.mismatches().getFirst());
    }

    @Test
    void elsewhereNumbersAgreeWithinTheTolerance() throws IOException {
        for (Map<String, String> elsewhere : List.of(
                Map.of("jdk", "Vendor 26"),
                Map.of("simd", "128 bits"),
                Map.of("os", "Linux 6 aarch64"),
                Map.of("numerics", "2"))) {
            // The probe's own interval is [value, value + 1], and its value is below 1.
            CellRecord[] seeds = seeds(elsewhere, -2.1, -2.0, -1.9, -1.9, -2.1);
            Recomputation within = against(moved(-0.5 * Recomputation.TOLERANCE), elsewhere, seeds);
            assertThat(within.isBitwise()).isFalse();
            assertThat(within.mismatches()).isEmpty();
            assertThat(within.describe())
                    .contains("near the evidence or within the 99% prediction interval of its 5 seeds (")
                    .contains(" there, ");
            Recomputation beyond = against(moved(-2), elsewhere, seeds);
            assertThat(beyond.mismatches()).singleElement().asString().startsWith("value: expected ");
            assertThat(beyond.describe()).contains(" there, ");
            // A value within the range of other seeds is possible for this seed too.
            CellRecord[] wide = seeds(elsewhere, -2.1, -1.0, 0.5, 1.0, -2.1);
            assertThat(against(moved(-2), elsewhere, wide).mismatches()).isEmpty();
            Recomputation few = against(moved(-2), elsewhere, Arrays.copyOfRange(seeds, 1, 5));
            assertThat(few.mismatches()).isEmpty();
            assertThat(few.describe())
                    .contains("measurements, not comparable on these lanes: fewer than 5 seeds are recorded");
        }
        String here = "Linux 7 " + System.getProperty("os.arch");
        Recomputation same = against(UnaryOperator.identity(), Map.of("os", here, "numerics", "1"));
        assertThat(same.isBitwise()).isTrue();
    }

    @Test
    void measurementsThatOnlyOneSideHasAreMismatches() throws IOException {
        Recomputation again = against(
                measurement -> new Measurement(
                        measurement.name() + "Once", measurement.value(), "", measurement.interval(), 1, null),
                Map.of());
        assertThat(again.mismatches()).hasSize(4);
        assertThat(again.mismatches().getFirst())
                .startsWith("valueOnce: expected ")
                .endsWith(", got none");
        assertThat(again.mismatches().getLast()).isEqualTo("notANumber: expected none, got NaN [NaN, NaN]");
    }

    /** Sampled completions and single weights are only compared bit by bit, not on other machines. */
    @Test
    void whatALastBitTipsIsNotComparedElsewhere() throws IOException {
        for (String unit : List.of("completions", "weights")) {
            UnaryOperator<Measurement> planted =
                    measurement -> Measurement.exact(measurement.name() + "Once", 17, unit, 1);
            assertThat(against(planted, Map.of()).mismatches()).hasSize(4);
            // The two mismatches are the probe's own measurements, which the record lacks.
            assertThat(against(planted, Map.of("simd", "128 bits")).mismatches())
                    .hasSize(2)
                    .allMatch(mismatch -> mismatch.contains(": expected none, got "));
        }
    }

    @Test
    void aCellThatFailsNowIsAMismatch() throws IOException {
        assertThat(recomputed("throw").mismatches())
                .containsExactly("expected a result, got a failure: IllegalStateException: a fault; of two lines");
    }

    @Test
    void aCellThatWasStoppedIsNotCompared() throws IOException {
        Recomputation stopped = new Recomputation(cell, truth, List.of()).run(1, () -> true);
        assertThat(stopped.mismatches()).isEmpty();
        assertThat(stopped.describe())
                .endsWith(": not done in the time that it has, not compared; --cell "
                        + stopped.evidence().cell() + " computes it whole");
    }

    @Test
    void aFaultWithFilesIsOfTheMachineAndNoMismatch() throws IOException {
        Recomputation failed = recomputed("stumble");
        assertThat(failed.now()).isNull();
        assertThat(failed.mismatches()).isEmpty();
        assertThat(failed.describe()).endsWith(": stumbled 1 times, not compared");
    }

    @Test
    void aWantOfMemoryIsOfTheMachineAndNoMismatch() {
        var record = new CellRecord(
                truth.cell(),
                truth.trial(),
                truth.axes(),
                truth.seed(),
                truth.settings(),
                CellRecord.Status.FAILED,
                "out of memory: expected more than 512 MiB of heap",
                List.of(),
                truth.run());
        for (Ending ending : List.of(Ending.OUT_OF_MEMORY, Ending.FAILED)) {
            Recomputation failed =
                    new Recomputation(cell, truth, List.of()).ended(new CellRun.Report(ending, record, "a trace"));
            boolean isOfMemory = ending == Ending.OUT_OF_MEMORY;
            assertThat(failed.mismatches()).as(ending.name()).hasSize(isOfMemory ? 0 : 1);
            assertThat(failed.describe())
                    .endsWith(
                            "out of memory: expected more than 512 MiB of heap" + (isOfMemory ? ", not compared" : ""));
        }
    }

    /** The record of a training run with other weights planted after a step. */
    private static CellRecord planted(CellRecord record, long step, Map<String, String> environment) {
        return elsewhere(
                record,
                environment,
                hash -> hash.step() == step ? new StepHash(step, hash.loss(), "0123456789abcdef") : hash);
    }

    private static CellRecord withLoss(CellRecord record, long step, double factor) {
        return elsewhere(
                record,
                Map.of(),
                hash -> hash.step() == step ? new StepHash(step, hash.loss() * factor, hash.weights()) : hash);
    }

    private static Recomputation part(Cell run, CellRecord evidence, BooleanSupplier isEnough, CellRecord... seeds)
            throws IOException {
        return new Recomputation(run, evidence, List.of(seeds)).runPart(1, () -> false, isEnough);
    }

    @Test
    void theFirstStepsOfALongCellAreComparedToTheBit() throws IOException {
        Cell run = Sweep.parse("a test", """
            base:
              steps: 20
              batch: 4
              task: {name: dyck-words, settings: {N: 3}}
              model: {width: 4, layers: 1}
            """, List.of(), Sweep.FULL).cells().getFirst();
        CellRecord whole = Objects.requireNonNull(recomputed(run).now());
        assertThat(whole.run().hashes()).extracting(StepHash::step).containsExactly(1L, 2L, 4L, 8L, 16L);
        assertThat(CellRecord.parse(Path.of("x"), "", whole.toJson())).isEqualTo(whole);

        var looks = new AtomicInteger();
        Recomputation part = part(run, whole, () -> looks.incrementAndGet() > 4);
        assertThat(part.isPart()).isTrue();
        assertThat(part.mismatches()).isEmpty();
        assertThat(part.describe())
                .endsWith("its first 4 steps, loss and weights at 3 of them, the same bits as in the evidence");
        // Runs at least to the first recorded step, and at most to the last.
        assertThat(part(run, whole, () -> true).describe()).contains("its first 1 steps");
        assertThat(part(run, whole, () -> false).describe()).contains("its first 16 steps");

        for (long step : List.of(1L, 8L, 16L)) {
            CellRecord altered = planted(whole, step, Map.of());
            assertThat(part(run, altered, () -> false).mismatches())
                    .singleElement()
                    .asString()
                    .startsWith("after step " + step + ": expected loss ")
                    .contains("and weights 0123456789abcdef, got loss ");
            // A whole run also compares them. On other machines, weights have other bits, and losses are close.
            Recomputation again = new Recomputation(run, altered, List.of()).run(1, () -> false);
            assertThat(again.mismatches()).hasSize(1);
            CellRecord ofElsewhere = planted(whole, step, Map.of("simd", "128 bits"));
            Recomputation elsewhere = part(run, ofElsewhere, () -> false);
            assertThat(elsewhere.mismatches()).isEmpty();
            assertThat(elsewhere.describe())
                    .contains("its first 8 steps near the evidence")
                    .contains("128 bits there");
            CellRecord infinite = withLoss(whole, step, Double.POSITIVE_INFINITY);
            assertThat(new Recomputation(run, ofElsewhere, List.of(), infinite, true, "").mismatches())
                    .hasSize(1);
            // A different loss is a mismatch after few steps; after many, training has amplified rounding errors.
            CellRecord other = withLoss(ofElsewhere, step, step <= 8 ? 1.0001 : 1.1);
            assertThat(part(run, other, () -> false).mismatches()).hasSize(step <= 8 ? 1 : 0);
            CellRecord[] seeds = DoubleStream.of(1.1, 1.11, 1.1, 1.11, 1.1)
                    .mapToObj(factor -> withLoss(other, step, factor))
                    .toArray(CellRecord[]::new);
            assertThat(part(run, other, () -> false, seeds).mismatches()).hasSize(1);
        }
    }
}
