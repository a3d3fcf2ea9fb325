package org.lemmata.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.optimizer.AdamW;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.Architecture;
import org.lemmata.model.Backpropagation;
import org.lemmata.model.ParameterRole;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;
import org.lemmata.model.precision.PrecisionPolicy;
import org.lemmata.model.precision.PrecisionSite;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.random.PhiloxGenerator;
import org.lemmata.token.Batch;
import org.lemmata.train.Schedule.CosineDecay;

/** Training of a decoder with dropout, also under a precision policy. */
class RoundedTrainingTest {

    private static final int SYMBOLS = 12;
    private static final int STEPS = 40;

    private static final Rounding BFLOAT16 = Rounding.toNearestEven(FloatFormat.BFLOAT16);
    private static final Rounding STOCHASTIC =
            new Rounding(FloatFormat.BFLOAT16, Rounding.Mode.STOCHASTIC, true, false);

    private static final PrecisionPolicy EVERY_SITE = PrecisionPolicy.everything(STOCHASTIC)
            .with(PrecisionSite.GRADIENTS, STOCHASTIC)
            .with(PrecisionSite.OPTIMIZER_STATE, STOCHASTIC)
            .with(PrecisionSite.MASTER_WEIGHTS, STOCHASTIC)
            .withLossScale(256);

    private static final List<Batch> TESTED = ExampleStream.batches(
            new OnlineExamples(r -> BigramChain.sample(r, SYMBOLS), 3, Split.VALIDATION).take(20), 10);

    @TempDir
    private Path temporary;

    /** A run, created again for each attempt. */
    private static final class Run {
        private final Optimizer optimizer;
        private final float[] parameters;
        private final float[] initial;
        private final Training training;
        private double loss;

        Run(PrecisionPolicy policy, Kernels kernels, long death) {
            Architecture architecture = Architecture.gpt2(SYMBOLS, 10, 16, 2, 2, 32, 0.1);
            Parameters start = Parameters.normal(architecture, 0.05, new PhiloxGenerator(3, -100, 0));
            var objective = new Backpropagation(start, policy, kernels);
            var options = new OptimizerOptions(
                    new AdamW(1e-2, 0.9, 0.99, 1e-8, 0.1),
                    new CosineDecay(STEPS, 0.95),
                    List.of(ParameterGroup.of("position_embedding").freeze()),
                    false,
                    1);
            optimizer = new Optimizer(objective.layout(), options, policy, kernels);
            optimizer.start(start.values());
            parameters = objective.parameters();
            initial = start.values().clone();
            training = new Training(
                    objective,
                    optimizer,
                    new OnlineExamples(r -> BigramChain.sample(r, SYMBOLS), 3, Split.TRAIN),
                    new Evaluation(TESTED, TESTED, Collections.emptySortedMap()),
                    new TrainingOptions(3, STEPS, 4, 2, 1, 20, 0, 0, 7, Duration.ZERO),
                    TrainingSetup.dyingAt(death),
                    Map.of());
        }
    }

    private Run train(String name, PrecisionPolicy policy, int threads, int... deaths) throws IOException {
        Run[] last = new Run[1];
        try (Workers workers = Workers.of(threads)) {
            Kernels kernels = Kernels.best(workers);
            TrainingResult result = TrainingSetup.untilItEnds(
                    temporary.resolve(name),
                    death -> {
                        last[0] = new Run(policy, kernels, death);
                        return last[0].training;
                    },
                    deaths);
            last[0].loss = result.testLoss().orElseThrow();
            return last[0];
        }
    }

    @Test
    void neitherThreadsNorInterruptionsChangeABit() throws IOException {
        float[] expected = train("one", PrecisionPolicy.none(), 1).parameters;
        assertThat(train("interrupted", PrecisionPolicy.none(), 2, 3, 8, 30, 31, 40).parameters)
                .isEqualTo(expected);
    }

    @Test
    @Tag("long")
    void norDoTheyWhereEverythingIsRounded() throws IOException {
        float[] expected = train("one", EVERY_SITE, 1).parameters;
        assertThat(train("two", EVERY_SITE, 2).parameters).isEqualTo(expected);
        assertThat(train("interrupted", EVERY_SITE, 4, 3, 8, 30, 31).parameters).isEqualTo(expected);
        assertThat(train("seed", EVERY_SITE.withSeed(2), 1).parameters).isNotEqualTo(expected);
    }

    /** Also before the first step; frozen parameters keep their drawn values. */
    @Test
    void masterWeightsAndMomentsAreNumbersOfTheirFormats() throws IOException {
        Rounding binary16 = Rounding.toNearestEven(FloatFormat.BINARY16);
        PrecisionPolicy policy = PrecisionPolicy.only(PrecisionSite.MASTER_WEIGHTS, STOCHASTIC)
                .with(PrecisionSite.OPTIMIZER_STATE, binary16);
        Run result = train("formats", policy, 1);
        Architecture architecture = Architecture.gpt2(SYMBOLS, 10, 16, 2, 2, 32, 0.1);
        float[] drawn = Parameters.normal(architecture, 0.05, new PhiloxGenerator(3, -100, 0))
                .values();
        for (ParameterView view : architecture.layout()) {
            for (int i = view.offset(); i < view.offset() + view.size(); i++) {
                if (view.role() == ParameterRole.POSITION_EMBEDDING) {
                    assertThat(result.parameters[i]).isEqualTo(drawn[i]);
                } else {
                    assertThat(result.parameters[i]).isEqualTo(BFLOAT16.round(result.parameters[i]));
                    assertThat(result.initial[i]).isEqualTo(BFLOAT16.round(result.initial[i]));
                }
            }
        }
        assertThat(result.optimizer.moments()).hasSize(2);
        for (float[] moments : result.optimizer.moments().values()) {
            for (float moment : moments) {
                assertThat(moment).isEqualTo(binary16.round(moment));
            }
        }
        float[] first = Objects.requireNonNull(result.optimizer.moments().get("first_moments"));
        assertThat(first).isNotEqualTo(new float[first.length]);
    }

    /** A power of two scales every intermediate number exactly, so it cancels without a trace. */
    @Test
    void theLossScaleChangesNothingWhereNothingIsRounded() throws IOException {
        Run plain = train("plain", PrecisionPolicy.none(), 1);
        Run scaled = train("scaled", PrecisionPolicy.none().withLossScale(0x1p12), 1);
        assertThat(scaled.parameters).isEqualTo(plain.parameters);
        assertThat(scaled.loss).isEqualTo(plain.loss);
    }

    /**
     * Rounding to nearest loses steps below half a unit in the last place; stochastic rounding preserves them on
     * average.
     */
    @Test
    void stochasticMasterWeightsTrainWhereNearestOnesStall() throws IOException {
        double exact = train("exact", PrecisionPolicy.none(), 1).loss;
        Rounding coarse = Rounding.toNearestEven(FloatFormat.OCP_E5M2);
        var coarseStochastic = new Rounding(FloatFormat.OCP_E5M2, Rounding.Mode.STOCHASTIC, true, false);
        double nearest = train("nearest", PrecisionPolicy.only(PrecisionSite.MASTER_WEIGHTS, coarse), 1).loss;
        double stochastic =
                train("stochastic", PrecisionPolicy.only(PrecisionSite.MASTER_WEIGHTS, coarseStochastic), 1).loss;
        double mixed =
                train("mixed", PrecisionPolicy.tensors(BFLOAT16).with(PrecisionSite.GRADIENTS, BFLOAT16), 1).loss;
        assertThat(mixed).isCloseTo(exact, within(0.05));
        assertThat(stochastic).isCloseTo(exact, within(0.2));
        assertThat(nearest).isGreaterThan(exact + 0.4);
    }
}
