package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.config.Configuration;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;
import org.lemmata.model.Transformer;
import org.lemmata.model.file.SafeTensorsFile;
import org.lemmata.model.file.Weights;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.InterruptedTrialException;
import org.lemmata.sweep.Keep;
import org.lemmata.sweep.TrialContext;
import org.lemmata.task.depth.PrefixLaw;
import org.lemmata.token.Batch;

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
                .containsExactly("steps tokens trainLoss bestStep validationLoss testLoss completions.inSample diverged"
                        .split(" ", -1));
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

    /** An epoch of 20 examples has batches of 8, 8 and 4. */
    private static final String RUN = """
        epochs: 30
        batch: 8
        curve: 1
        task: {name: mod-p-task, settings: {length: 4, minLength: 4}}
        data: {train: 20, validation: 10, test: 12}
        optimizer: {learning-rate: 0.02}
        evaluation: {every: 2, accuracy: true, last: true}
        """;

    private static final String PERCEPTRON = "model: {kind: mlp, width: 16, layers: 2, incidence: true,"
            + " feed-forward: {activation: relu}, output: {kind: regression}}\n";

    private static final String TRANSFORMER =
            "model: {width: 8, layers: 1, attention: {identities: true}, output: {kind: regression}}\n";

    private Map<String, Measurement> run(String yaml, String name, BooleanSupplier stop) throws IOException {
        return run(yaml, new TrialContext(directory.resolve(name), 1, Keep.WEIGHTS, stop));
    }

    private Map<String, Measurement> run(String yaml, String name) throws IOException {
        return run(yaml, name, () -> false);
    }

    @ParameterizedTest
    @ValueSource(strings = {PERCEPTRON, TRANSFORMER})
    void anEpochHasAllExamplesAndEvaluationsCountEpochs(String model) throws IOException {
        Map<String, Measurement> measured = run(RUN + model, "run");
        assertThat(value(measured, "steps")).isEqualTo(90);
        assertThat(value(measured, "tokens")).isEqualTo(30 * 20 * 4);
        assertThat(value(measured, "bestStep") % 6).isZero();
        List<String> curve = Files.readAllLines(directory.resolve("run/curve.jsonl"));
        assertThat(curve).hasSize(90);
        assertThat(curve.stream().filter(line -> line.contains("validationLoss")))
                .hasSize(15);
        double lowest = curve.stream()
                .mapToDouble(line -> Double.parseDouble(line.replaceFirst(".*\"trainLoss\":([^,]+),.*", "$1")))
                .min()
                .orElseThrow();
        assertThat(value(measured, "lowestTrainLoss")).isEqualTo(lowest).isLessThan(0.02);
        assertThat(of(measured, "testAccuracy").n()).isEqualTo(12);
        assertThat(value(measured, "testLoss")).isLessThan(0.1);
    }

    /** Without validation, the best step is the last one. */
    @ParameterizedTest
    @ValueSource(strings = {PERCEPTRON, TRANSFORMER})
    void theLastStepIsTestedBesideTheBestOne(String model) throws IOException {
        String yaml = RUN.replace("epochs: 30", "epochs: 120") + model;
        Map<String, Measurement> validated = run(yaml, "validated");
        Map<String, Measurement> last = run(yaml.replace("validation: 10", "validation: 0"), "last");
        assertThat(value(validated, "bestStep")).isLessThan(value(last, "bestStep"));
        assertThat(value(last, "testLoss"))
                .isEqualTo(value(last, "lastTestLoss"))
                .isEqualTo(value(validated, "lastTestLoss"))
                .isNotEqualTo(value(validated, "testLoss"));
        assertThat(value(last, "testAccuracy"))
                .isEqualTo(value(last, "lastTestAccuracy"))
                .isEqualTo(value(validated, "lastTestAccuracy"));
    }

    @ParameterizedTest
    @ValueSource(strings = {PERCEPTRON, TRANSFORMER})
    void goesOnWhereItStoppedWithinAnEpoch(String model) throws IOException {
        Map<String, Measurement> whole = run(RUN + model, "whole");
        for (int stop : new int[] {1, 40, 89}) {
            var looks = new AtomicInteger();
            assertThatThrownBy(() -> run(RUN + model, "parts" + stop, () -> looks.incrementAndGet() >= stop))
                    .isInstanceOf(InterruptedTrialException.class);
            assertThat(run(RUN + model, "parts" + stop)).isEqualTo(whole);
        }
    }

    @Test
    void withoutTheKeysNothingElseIsMeasured() throws IOException {
        String yaml = RUN.replace(", accuracy: true, last: true", "").replace("epochs: 30", "steps: 3") + TRANSFORMER;
        assertThat(run(yaml, "run").keySet())
                .containsExactlyInAnyOrder(
                        "steps", "tokens", "trainLoss", "bestStep", "validationLoss", "testLoss", "diverged");
    }

    @Test
    void theWeightsOfANetworkSayWhatItIs() throws IOException {
        run(RUN + PERCEPTRON, "run");
        try (SafeTensorsFile file = SafeTensorsFile.open(directory.resolve("run/weights.safetensors"))) {
            assertThat(file.metadata())
                    .containsEntry(
                            "lemmata.multilayer_perceptron",
                            "{\"vocabularySize\":2,\"length\":4,\"width\":16,\"layers\":2,\"activation\":\"RELU\","
                                    + "\"incidence\":true}");
            assertThat(file.tensor("layer.0.first").shape().toLongArray()).containsExactly(4 * 2 + 4 * 4, 16);
        }
    }

    @Test
    void theCostIsThatOfTheBatchesOfAnEpoch() throws IOException {
        TrainingCost cost = TrainingCost.of(TrainingPlan.read(settings(RUN + PERCEPTRON)));
        double forward = 4 * 16 + 2 * (16 + 1) * 16;
        assertThat(cost.steps()).isEqualTo(90);
        assertThat(cost.step() * 90).isEqualTo(30 * 20 * 3 * forward);
        assertThat(cost.evaluations()).isEqualTo(15);
        assertThat(cost.validation()).isEqualTo(10 * forward);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        train: 20| train: online| epochs: expected none where examples are drawn online, got 30
        curve: 1| accumulate: 2| accumulate: expected 1 with epochs, got more
        curve: 1| steps: 7| steps: expected no such key, since it has no effect here, got 7
        test: 12| test: 0| evaluation.accuracy: expected false without test examples, got true
        kind: regression| kind: next-token| model.output.kind: expected regression for mlp, got next-token
        kind: mlp| kind: transformer| model.incidence: expected no such key, since it has no effect here
        layers: 2| layers: 2, dropout: 0.5| model.dropout: expected no such key, since it has no effect here
        curve: 1| precision: {format: bfloat16}| precision: expected no such key, since it has no effect here
        epochs: 30| epochs: 2000000000| epochs: expected at most 2147483647 steps, got 6000000000
        """)
    void whatDoesNotGoTogetherIsRefused(String good, String bad, String problem) {
        assertThatThrownBy(() -> TrainingRun.of(settings((RUN + PERCEPTRON).replace(good, bad))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem);
    }

    /** The models of Richard (2024), appendix 5.3.4, have frozen weights. */
    private static final String FROZEN = """
        steps: 12
        batch: 4
        task: {name: dyck-words, settings: {N: 4}}
        data: {train: 6, distinct: true, validation: 0, test: 0}
        initialization: {tokens: signs, values: identity}
        optimizer:
          kind: adamw
          weight-decay: 0.5
          decay-vectors: true
          clipping: 0.1
          groups: [{match: token_embedding, frozen: true}, {match: layer.*.value, frozen: true}]
        """;

    private static final String MODEL = """
        model:
          width: 6
          layers: 2
          attention: {heads: 2, weighting: uniform, output-projection: false, biases: false}
          feed-forward: {hidden: 0}
          normalization: {kind: root-mean-square}
        """;

    private static Parameters drawn(String yaml) throws IOException {
        TrainingPlan plan = plan(yaml);
        return new Parameters(architecture(plan), plan.model().draw(plan.seed()));
    }

    private static float[] tensor(Parameters parameters, ParameterView view) {
        return Arrays.copyOfRange(parameters.values(), view.offset(), view.offset() + view.size());
    }

    @Test
    void whatIsFixedIsWrittenDownAndTheRestDrawnAsEver() throws IOException {
        Parameters fixed = drawn(FROZEN + MODEL);
        Parameters rest = drawn(FROZEN.replace("{tokens: signs, values: identity}", "{kind: gpt-2}") + MODEL);
        for (ParameterView view : fixed.architecture().layout()) {
            float[] values = tensor(fixed, view);
            if (view.name().equals("token_embedding")) {
                assertThat(values).containsExactly(1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1);
            } else if (view.name().endsWith("value")) {
                for (int i = 0; i < values.length; i++) {
                    assertThat(values[i]).isEqualTo(i % 7 == 0 ? 1 : 0);
                }
            } else {
                assertThat(values).isEqualTo(tensor(rest, view));
            }
        }
    }

    private Parameters trained(String name, int stopAfter) throws IOException {
        Path place = directory.resolve(name);
        if (stopAfter > 0) {
            var looks = new AtomicInteger();
            var stopping = new TrialContext(place, 2, Keep.WEIGHTS, () -> looks.incrementAndGet() > stopAfter);
            assertThatThrownBy(() -> run(FROZEN + MODEL, stopping)).isInstanceOf(InterruptedTrialException.class);
        }
        run(FROZEN + MODEL, new TrialContext(place, 1, Keep.WEIGHTS, () -> false));
        return Weights.read(place.resolve(RunDirectory.WEIGHTS));
    }

    /** After 12 steps at a rate of 1e-3, a decay of 1/2 per step and Adam's steps would be visible. */
    @Test
    void whatIsFrozenStaysWhateverTheDecayAndWhereverTheRunStopped() throws IOException {
        Parameters before = drawn(FROZEN + MODEL);
        Parameters whole = trained("whole", 0);
        for (ParameterView view : before.architecture().layout()) {
            boolean frozen =
                    view.name().equals("token_embedding") || view.name().endsWith("value");
            assertThat(Arrays.equals(tensor(whole, view), tensor(before, view)))
                    .as(view.name())
                    .isEqualTo(frozen);
        }
        assertThat(trained("parts", 5).values()).isEqualTo(whole.values());
    }

    /** The example of docs/training.md: a random transformer has more random features than there are samples. */
    @Test
    void theLastLayerAloneLearnsFromRandomFeatures() throws IOException {
        String run = """
            steps: 500
            batch: 24
            task: {name: aba-abb, settings: {alphabet: 24, heldOut: 6, cls: false}}
            data: {train: 24, validation: 4, test: 4}
            model:
              width: 64
              layers: 1
              attention: {heads: 2, mask: none, biases: false}
              feed-forward: {hidden: 64}
              output: {kind: regression}
            initialization: {kind: mean-field}
            optimizer: {kind: adam, learning-rate: 0.1, groups: [{match: 'unembedding*'}, {match: '*', frozen: true}]}
            """;
        Path place = directory.resolve("features");
        Map<String, Measurement> measured = run(run, new TrialContext(place, 1, Keep.WEIGHTS, () -> false));
        assertThat(value(measured, "trainLoss")).isLessThan(0.01);
        Parameters before = drawn(run);
        Parameters after = Weights.read(place.resolve(RunDirectory.WEIGHTS));
        for (ParameterView view : before.architecture().layout()) {
            assertThat(Arrays.equals(tensor(after, view), tensor(before, view)))
                    .as(view.name())
                    .isEqualTo(!view.name().startsWith("unembedding"));
        }
    }

    /**
     * The two models with the fewest trainable weights: V = I, and one layer with trained V. From positions alone, the
     * loss is the mean entropy of a bracket of D_8 given its position; no loss is below ln 14 / 7.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsNotFixedLearnsMoreThanPositions(boolean identity) throws IOException {
        String run = FROZEN.replace("steps: 12", "steps: 1000")
                .replace("batch: 4", "batch: 32")
                .replace("train: 6, distinct: true, validation: 0", "train: online, validation: 512")
                .replace("kind: adamw", "kind: adamw\n  learning-rate: 1e-2")
                .replace("weight-decay: 0.5", "weight-decay: 0.1")
                .replace("clipping: 0.1", "clipping: 1");
        String model = MODEL;
        if (!identity) {
            run = run.replace(", values: identity", "").replace(", {match: layer.*.value, frozen: true}", "");
            model = MODEL.replace("layers: 2", "layers: 1").replace("heads: 2", "heads: 1");
        }
        double loss = value(run("learns" + identity, 2, run + model), "validationLoss");
        double positions = Arrays.stream(PrefixLaw.openings(4, 4))
                .filter(open -> open > 0 && open < 1)
                .map(open -> -open * Math.log(open) - (1 - open) * Math.log(1 - open))
                .sum();
        assertThat(loss).isBetween(Math.log(14) / 7, 0.98 * positions / 7);
    }

    /** If layer normalization comes first, the model cannot distinguish brackets; with the root mean square it can. */
    @ParameterizedTest
    @ValueSource(strings = {"layer", "root-mean-square"})
    void layerNormalizationHidesTheSigns(String kind) throws IOException {
        Parameters parameters = drawn(FROZEN + MODEL.replace("root-mean-square", kind));
        for (ParameterView view : parameters.architecture().layout()) {
            if (view.name().endsWith("gain")) {
                // Gains of 1 give logits of 0 after layer normalization.
                for (int i = 0; i < view.size(); i++) {
                    parameters.values()[view.offset() + i] = 1 + i;
                }
            }
        }
        var model = new Transformer(parameters, Kernels.scalar());
        double[] one = model.logits(Batch.of(List.of(new int[] {0, 0, 1, 0, 1})));
        double[] other = model.logits(Batch.of(List.of(new int[] {0, 1, 0, 1, 0})));
        double maximum = IntStream.range(0, one.length)
                .mapToDouble(i -> Math.abs(one[i] - other[i]))
                .max()
                .orElseThrow();
        if (kind.equals("layer")) {
            assertThat(maximum).isLessThan(1e-3);
            assertThat(Arrays.stream(one).map(Math::abs).max().orElse(0)).isGreaterThan(0.1);
        } else {
            assertThat(maximum).isGreaterThan(1);
        }
    }

    @Test
    void whatDoesNotSuitTheModelIsRefused() {
        assertThatThrownBy(() -> drawn(FROZEN.replace("test: 0}", "test: 0, start: true}") + MODEL))
                .hasMessage("a test: line 5: initialization: tokens: expected a vocabulary of 2 for signs, got 3");
        assertThatThrownBy(() -> drawn(
                        FROZEN + MODEL.replace("output-projection: false", "head-width: 2, output-projection: true")))
                .hasMessage("a test: line 5: initialization: values: expected as many columns of all heads as of the"
                        + " model, 6, for the identity, got 4");
    }
}
