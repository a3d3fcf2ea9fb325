package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.config.Configuration;
import org.lemmata.model.Architecture;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Keep;
import org.lemmata.sweep.TrialContext;

/** Runs of configurations given as text, and their measurements. */
abstract class MeasuredRunFixture {

    @TempDir
    Path directory;

    static Configuration settings(String yaml, String... overrides) {
        return Configuration.of(
                Configuration.overridden(
                        Configuration.document("a test", yaml, TrainingSections.TRAINING), List.of(overrides)),
                TrainingSections.TRAINING);
    }

    static TrainingPlan plan(String yaml) throws IOException {
        return TrainingPlan.read(settings(yaml));
    }

    static Architecture architecture(TrainingPlan plan) {
        return plan.model().transformer().orElseThrow();
    }

    static void assertRefused(String yaml, String problem) {
        assertThatThrownBy(() -> plan(yaml))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }

    /** @param name the name of the run's directory */
    Map<String, Measurement> run(String name, int threads, String yaml) throws IOException {
        return run(yaml, new TrialContext(directory.resolve(name), threads, Keep.RESULTS, () -> false));
    }

    static Map<String, Measurement> run(String yaml, TrialContext context) throws IOException {
        return new TrainingTrial()
                .run(settings(yaml), context).stream()
                        .collect(Collectors.toMap(Measurement::name, Function.identity()));
    }

    static Measurement of(Map<String, Measurement> measured, String name) {
        return Objects.requireNonNull(measured.get(name), name);
    }

    static double value(Map<String, Measurement> measured, String name) {
        return of(measured, name).value();
    }
}
