package org.lemmata.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.lemmata.sweep.SweepRun.Progress;
import org.lemmata.track.CellRecord;
import org.lemmata.track.CellRecord.Status;

class SweepTimeLeftTest {

    private final SweepProgress.TimeLeft left = new SweepProgress.TimeLeft();

    private static Progress progress(int running, double doneCost, double leftCost) {
        return new Progress(100, 0, 0, 0, running, doneCost, leftCost);
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

    private double begun(double seconds, Progress progress) {
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
