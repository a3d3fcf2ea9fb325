package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.model.file.SafeTensorsFile;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.InterruptedTrialException;
import org.lemmata.sweep.Keep;
import org.lemmata.sweep.TrialContext;

/** Epochs over training sets, measurements on the test set, and the fully connected network. */
class EpochTrainingTest extends MeasuredRunFixture {

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
}
