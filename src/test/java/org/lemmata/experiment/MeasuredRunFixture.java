package org.lemmata.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.config.Configuration;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.Keep;
import org.lemmata.sweep.TrialContext;

/** Runs of configurations in a test's own text, and what they measured. */
abstract class MeasuredRunFixture {

    @TempDir
    Path directory;

    static Configuration settings(String yaml) {
        return Configuration.of(
                Configuration.document("a test", yaml, TrainingSections.TRAINING), TrainingSections.TRAINING);
    }

    /** @param name of the run's directory */
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
