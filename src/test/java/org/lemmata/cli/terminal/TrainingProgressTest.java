package org.lemmata.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.lemmata.train.TrainingListener;

class TrainingProgressTest {

    private final StringWriter err = new StringWriter();
    private final AtomicBoolean stop = new AtomicBoolean();

    private TrainingProgress lines(Duration between) {
        return new TrainingProgress(new PrintWriter(err), 100, between, stop::get);
    }

    @Test
    void aLineSaysHowFarTheRunIs() {
        try (TrainingProgress progress = lines(Duration.ZERO)) {
            progress.stepped(new TrainingListener.Progress(1, 100, 0.693147, 256, 1234.5, 7384));
            progress.stepped(new TrainingListener.Progress(2, 100, 0.6, 512, 2e4, 125.4));
            progress.stepped(new TrainingListener.Progress(3, 100, 0.6, 512, 2e4, Double.NaN));
            progress.stepped(new TrainingListener.Progress(100, 100, 0.5, 512, 2e4, 0));
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
                progress.stepped(new TrainingListener.Progress(step, 100, 0.5, step, 1, 1));
            }
        }
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void evaluationsAreSaidAndOtherPointsOfTheCurveAreNot() {
        var rates = new TreeMap<>(Map.of("deeper", 0.25, "deeperInTraining", 12345.0, "inSample", 1.0));
        try (TrainingProgress progress = lines(Duration.ofHours(1))) {
            progress.measured(new TrainingListener.CurvePoint(10, 1, 0.5, 1, 1, null, new TreeMap<>(), 1, 1));
            SortedMap<String, SortedMap<String, Double>> measured = new TreeMap<>(Map.of("completions", rates));
            progress.measured(new TrainingListener.CurvePoint(20, 1, 0.5, 1, 1, 0.125, measured, 1, 1));
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
}
