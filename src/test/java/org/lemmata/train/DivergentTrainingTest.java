package org.lemmata.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lemmata.train.TrainingSetup.latest;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.token.Batch;

/** Runs whose numbers are no longer finite. */
class DivergentTrainingTest {

    @TempDir
    Path temporary;

    /** A run whose gradients have a NaN in one step, which only the next loss reveals. */
    private static TrainingSetup spoiledIn(long spoiled) {
        var setup = new TrainingSetup();
        setup.checkpointEvery = 2;
        setup.curveEvery = 1000;
        setup.evaluateEvery = 0;
        setup.objectives = () -> new BigramObjective(8) {
            @Override
            public double gradient(float[] gradients, Batch batch, double factor, long seed, long step) {
                double loss = super.gradient(gradients, batch, factor, seed, step);
                if (step == spoiled) {
                    gradients[5] = Float.NaN;
                }
                return loss;
            }
        };
        return setup;
    }

    @Test
    void anInterruptionSavesNoParametersOfNaN() throws IOException {
        TrainingSetup setup = spoiledIn(5);
        setup.listener = new TrainingListener() {
            private long step;

            @Override
            public void stepped(Progress progress) {
                step = progress.step();
            }

            @Override
            public boolean wantsToStop() {
                return step == 5;
            }
        };
        Path directory = temporary.resolve("run");
        assertThatThrownBy(() -> setup.training().run(directory))
                .isInstanceOf(DivergenceException.class)
                .hasMessage(
                        "step 5: expected a finite norm of the parameters, got NaN; the last checkpoint is of step 4");
        assertThat(latest(directory).step()).isEqualTo(4);
    }

    @Test
    void aLossOfNaNStopsTheRunAndKeepsTheCheckpoint() throws IOException {
        var setup = new TrainingSetup();
        setup.checkpointEvery = 4;
        setup.objectives = () -> new BigramObjective(8) {
            @Override
            public double gradient(float[] gradients, Batch batch, double factor, long seed, long step) {
                double loss = super.gradient(gradients, batch, factor, seed, step);
                return step == 11 ? Double.NaN : loss;
            }
        };
        Path directory = temporary.resolve("run");
        for (int attempt = 0; attempt < 2; attempt++) {
            boolean resumed = attempt > 0;
            assertThatThrownBy(() -> {
                        if (resumed) {
                            setup.resume(directory);
                        } else {
                            setup.training().run(directory);
                        }
                    })
                    .isInstanceOf(DivergenceException.class)
                    .hasMessage("step 11: expected a finite training loss, got NaN; the last checkpoint is of step 8")
                    .extracting(e -> ((DivergenceException) e).step())
                    .isEqualTo(11L);
            assertThat(latest(directory).step()).isEqualTo(8);
        }
        assertThatThrownBy(() -> setup.training().run())
                .hasMessage("step 11: expected a finite training loss, got NaN; no checkpoint");
    }

    /** The loss of a step is computed with the parameters before the step. */
    @Test
    void noCheckpointHoldsParametersOfNaN() throws IOException {
        TrainingSetup setup = spoiledIn(6);
        Path directory = temporary.resolve("run");
        assertThatThrownBy(() -> setup.training().run(directory))
                .isInstanceOf(DivergenceException.class)
                .hasMessage(
                        "step 6: expected a finite norm of the parameters, got NaN; the last checkpoint is of step 4");
        assertThat(latest(directory).step()).isEqualTo(4);
        setup.steps = 6;
        setup.validated = false;
        assertThatThrownBy(() -> setup.training().run())
                .isInstanceOf(DivergenceException.class)
                .hasMessage("step 6: expected a finite gradient norm, got NaN; no checkpoint");
    }
}
