package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lemmata.config.Configuration;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.InterruptedTrialException;
import org.lemmata.sweep.Keep;
import org.lemmata.sweep.TrialContext;

class TrainingTrialTest extends MeasuredRunFixture {

    private static final String MINIMUM = """
        steps: 6
        batch: 4
        task: {name: dyck-words, settings: {N: 3}}
        data: {validation: 8, test: 8}
        model: {width: 4, layers: 1}
        evaluation: {every: 3, completions: 10}
        """;

    private final TrainingTrial trial = new TrainingTrial();

    private List<Measurement> run(String more, Keep keep) throws IOException {
        return trial.run(settings(MINIMUM + more), new TrialContext(directory, 1, keep, () -> false));
    }

    @ParameterizedTest
    @EnumSource(Keep.class)
    void whatIsToStayStays(Keep keep) throws IOException {
        run("", keep);
        Path checkpoints = directory.resolve("checkpoints");
        // Until the result is recorded, a kill must not cost the run.
        assertThat(checkpoints).isDirectory();
        trial.release(directory, keep);
        assertThat(Files.exists(checkpoints)).isEqualTo(keep == Keep.CHECKPOINTS);
        assertThat(Files.exists(directory.resolve("weights.safetensors"))).isEqualTo(keep != Keep.RESULTS);
        assertThat(directory.resolve("curve.jsonl")).isNotEmptyFile();
        trial.release(directory, keep);
    }

    @Test
    void measuresWhatTheRunCameTo() throws IOException {
        List<Measurement> measured = run("", Keep.RESULTS);
        assertThat(measured.stream().map(Measurement::name))
                .containsExactly(
                        "steps",
                        "tokens",
                        "trainLoss",
                        "bestStep",
                        "validationLoss",
                        "testLoss",
                        "completions.inSample",
                        "diverged");
        assertThat(measured.getFirst().value()).isEqualTo(6);
        Measurement rate = measured.get(6);
        assertThat(rate.n()).isEqualTo(10);
        assertThat(rate.interval()).isEqualTo(Interval.proportion(10, (int) Math.round(10 * rate.value())));
        assertThat(measured.getLast().value()).isZero();
    }

    /** All other models have the numerics with which most of the evidence was recorded. */
    @Test
    void modelsWhoseHeadsAreTakenTogetherHaveNumericsOfTheirOwn() throws IOException {
        assertThat(numerics("{}")).isEqualTo(1);
        assertThat(numerics("{mask: none}")).isEqualTo(2);
        assertThat(numerics("{identities: true}")).isEqualTo(2);
        assertThat(TrainingPlan.read(withAttention("{}")).description()).doesNotContainKey("numerics");
        assertThat(TrainingPlan.read(withAttention("{mask: none}")).description())
                .containsEntry("numerics", "2");
    }

    private int numerics(String attention) throws IOException {
        Configuration settings = withAttention(attention);
        trial.check(settings);
        return trial.numerics(settings.effective());
    }

    private static Configuration withAttention(String options) {
        return settings(MINIMUM.replace("layers: 1", "layers: 1, attention: " + options));
    }

    @Test
    void aLossThatIsNoLongerFiniteIsAResult() throws IOException {
        List<Measurement> measured = run("optimizer: {kind: sgd, learning-rate: 1e30}", Keep.RESULTS);
        assertThat(measured.stream().map(Measurement::name)).containsExactly("steps", "diverged");
        assertThat(measured.getFirst().value()).isBetween(1.0, 6.0);
        assertThat(measured.getLast().value()).isEqualTo(1);
    }

    @Test
    void goesOnWhereItStopped() throws IOException {
        Map<String, Measurement> whole = run("whole", 1, MINIMUM);
        var looks = new AtomicInteger();
        var stopping =
                new TrialContext(directory.resolve("parts"), 2, Keep.RESULTS, () -> looks.incrementAndGet() >= 3);
        assertThatThrownBy(() -> trial.run(settings(MINIMUM), stopping)).isInstanceOf(InterruptedTrialException.class);
        assertThat(run("parts", 1, MINIMUM)).isEqualTo(whole);
    }

    private List<String> hashes(String more, String name, int threads, BooleanSupplier stop) throws IOException {
        var hashes = new ArrayList<String>();
        var context = new TrialContext(
                directory.resolve(name),
                threads,
                Keep.RESULTS,
                stop,
                (step, loss, weights) -> hashes.add(step + " " + loss + " " + weights));
        try {
            trial.run(settings(MINIMUM + more), context);
        } catch (InterruptedTrialException e) {
            hashes.add("stopped");
        }
        return hashes;
    }

    @Test
    void hashesOfStepsAreTheSameForThreadsAndInterruptionsAndOfNoOtherRun() throws IOException {
        List<String> whole = hashes("", "whole", 1, () -> false);
        assertThat(whole).hasSize(3).allMatch(hash -> hash.matches("[124] [0-9.]+ [0-9a-f]{16}"));
        assertThat(whole.stream().map(hash -> hash.replaceFirst(".* ", ""))).doesNotHaveDuplicates();
        var looks = new AtomicInteger();
        assertThat(hashes("", "parts", 2, () -> looks.incrementAndGet() >= 3))
                .containsExactly(whole.get(0), whole.get(1), "stopped");
        assertThat(hashes("", "parts", 2, () -> false)).isEqualTo(whole);
        assertThat(hashes("seed: 2", "seed", 1, () -> false)).hasSize(3).doesNotContainAnyElementsOf(whole);
        // A loss that is not finite ends a run, but earlier hashes remain.
        assertThat(hashes("optimizer: {kind: sgd, learning-rate: 1e30}", "diverged", 1, () -> false))
                .isNotEmpty();
    }
}
