package org.lemmata.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.lemmata.cli.terminal.TerminalProgress.SweepProgress;
import org.lemmata.cli.terminal.TerminalProgress.TrainingProgress;
import org.lemmata.sweep.SweepRun;
import org.lemmata.track.CellRecord;
import org.lemmata.track.CellRecord.Status;
import org.lemmata.train.TrainingListener.CurvePoint;
import org.lemmata.train.TrainingListener.Progress;

class ProgressTest {

    private final StringWriter err = new StringWriter();
    private final AtomicBoolean stop = new AtomicBoolean();

    private TrainingProgress lines(Duration between) {
        return new TrainingProgress(new PrintWriter(err), 100, between, stop::get);
    }

    @Test
    void aLineSaysHowFarTheRunIs() {
        try (TrainingProgress progress = lines(Duration.ZERO)) {
            progress.stepped(new Progress(1, 100, 0.693147, 256, 1234.5, 7384));
            progress.stepped(new Progress(2, 100, 0.6, 512, 2e4, 125.4));
            progress.stepped(new Progress(3, 100, 0.6, 512, 2e4, Double.NaN));
            progress.stepped(new Progress(100, 100, 0.5, 512, 2e4, 0));
        }
        assertThat(err.toString().lines())
                .containsExactly(
                        "train: step 1 of 100, loss 0.6931, 1235 tokens/s, 2 h 3 min left",
                        "train: step 2 of 100, loss 0.6000, 20000 tokens/s, 2 min 5 s left",
                        "train: step 3 of 100, loss 0.6000, 20000 tokens/s",
                        "train: step 100 of 100, loss 0.5000, 20000 tokens/s, 0 s left");
    }

    @Test
    void linesComeNoFasterThanTheyAreRead() {
        try (TrainingProgress progress = lines(Duration.ofHours(1))) {
            for (int step = 1; step <= 100; step++) {
                progress.stepped(new Progress(step, 100, 0.5, step, 1, 1));
            }
        }
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void evaluationsAreSaidAndOtherPointsOfTheCurveAreNot() {
        var rates = new TreeMap<>(Map.of("deeper", 0.25, "deeperInTraining", 12345.0, "inSample", 1.0));
        try (TrainingProgress progress = lines(Duration.ofHours(1))) {
            progress.measured(new CurvePoint(10, 1, 0.5, 1, 1, null, new TreeMap<>(), 1, 1));
            SortedMap<String, SortedMap<String, Double>> measured = new TreeMap<>(Map.of("completions", rates));
            progress.measured(new CurvePoint(20, 1, 0.5, 1, 1, 0.125, measured, 1, 1));
        }
        assertThat(err.toString().lines().toList())
                .isEqualTo(List.of("train: step 20: validation loss 0.1250, completions deeper 0.2500, completions"
                        + " deeperInTraining 12345, completions inSample 1.000"));
    }

    @Test
    void theRunIsAskedToStopWhenTheUserAsks() {
        try (TrainingProgress progress = lines(Duration.ZERO)) {
            assertThat(progress.wantsToStop()).isFalse();
            stop.set(true);
            assertThat(progress.wantsToStop()).isTrue();
        }
    }

    private final SweepProgress.TimeLeft left = new SweepProgress.TimeLeft();

    private static SweepRun.Progress progress(int running, double doneCost, double leftCost) {
        return new SweepRun.Progress(100, 0, 0, 0, running, doneCost, leftCost);
    }

    private static Optional<CellRecord> record(Status status, double seconds) {
        return Optional.of(new CellRecord(
                "id",
                "none",
                new LinkedHashMap<>(),
                1,
                new LinkedHashMap<>(),
                status,
                status == Status.DONE ? null : "a reason",
                List.of(),
                new CellRecord.Run(1, seconds, Map.of())));
    }

    private double begun(double seconds, SweepRun.Progress progress) {
        return left.changed(seconds, progress, Optional.empty());
    }

    /** Two cells at once, and 5 seconds per 10 units of cost, so 40 units take 10 seconds. */
    @Test
    void cellsThatRunAreTakenForAsFarAsTheyAre() {
        assertThat(begun(0, progress(1, 0, 40))).isNaN();
        assertThat(begun(2, progress(2, 0, 40))).isNaN();
        assertThat(left.changed(5, progress(1, 10, 30), record(Status.DONE, 5)))
                .isCloseTo((15 - 3) / 2.0, within(1e-12));
        assertThat(begun(5, progress(2, 10, 30))).isCloseTo(6, within(1e-12));
        assertThat(left.changed(7, progress(1, 20, 20), record(Status.DONE, 5)))
                .isCloseTo((10 - 2) / 2.0, within(1e-12));
        begun(7, progress(2, 20, 20));
        assertThat(left.changed(10, progress(1, 30, 10), record(Status.DONE, 5)))
                .isCloseTo(2.5 - 1.5, within(1e-12));
        assertThat(left.changed(12, progress(0, 40, 0), record(Status.DONE, 5))).isZero();
    }

    @Test
    void aCellThatFailedSaysNothingOfTheSpeed() {
        begun(0, progress(1, 0, 30));
        assertThat(left.changed(1, progress(0, 10, 20), record(Status.FAILED, 1)))
                .isNaN();
        begun(1, progress(1, 10, 20));
        assertThat(left.changed(11, progress(0, 20, 10), record(Status.DONE, 10)))
                .isCloseTo(10, within(1e-12));
    }

    @Test
    void aCellThatTakesLongerThanItShouldLeavesNoNegativeTime() {
        begun(0, progress(1, 0, 20));
        left.changed(1, progress(0, 10, 10), record(Status.DONE, 1));
        begun(1, progress(1, 10, 10));
        assertThat(begun(9, progress(1, 10, 10))).isZero();
    }
}
