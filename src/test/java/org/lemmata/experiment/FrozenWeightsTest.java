package org.lemmata.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.model.ParameterView;
import org.lemmata.model.Parameters;
import org.lemmata.model.Transformer;
import org.lemmata.model.file.Weights;
import org.lemmata.statistic.Measurement;
import org.lemmata.sweep.InterruptedTrialException;
import org.lemmata.sweep.Keep;
import org.lemmata.sweep.TrialContext;
import org.lemmata.task.depth.PrefixLaw;
import org.lemmata.token.Batch;

/** The models of Richard (2024), appendix 5.3.4, with frozen weights. */
class FrozenWeightsTest extends MeasuredRunFixture {

    private static final String RUN = """
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
        Parameters fixed = drawn(RUN + MODEL);
        Parameters rest = drawn(RUN.replace("{tokens: signs, values: identity}", "{kind: gpt-2}") + MODEL);
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
            assertThatThrownBy(() -> run(RUN + MODEL, stopping)).isInstanceOf(InterruptedTrialException.class);
        }
        run(RUN + MODEL, new TrialContext(place, 1, Keep.WEIGHTS, () -> false));
        return Weights.read(place.resolve(RunDirectory.WEIGHTS));
    }

    /** After 12 steps at a rate of 1e-3, a decay of 1/2 per step and Adam's steps would be visible. */
    @Test
    void whatIsFrozenStaysWhateverTheDecayAndWhereverTheRunStopped() throws IOException {
        Parameters before = drawn(RUN + MODEL);
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
        String run = RUN.replace("steps: 12", "steps: 1000")
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
        Parameters parameters = drawn(RUN + MODEL.replace("root-mean-square", kind));
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
        assertThatThrownBy(() -> drawn(RUN.replace("test: 0}", "test: 0, start: true}") + MODEL))
                .hasMessage("a test: line 5: initialization: tokens: expected a vocabulary of 2 for signs, got 3");
        assertThatThrownBy(() -> drawn(
                        RUN + MODEL.replace("output-projection: false", "head-width: 2, output-projection: true")))
                .hasMessage("a test: line 5: initialization: values: expected as many columns of all heads as of the"
                        + " model, 6, for the identity, got 4");
    }
}
