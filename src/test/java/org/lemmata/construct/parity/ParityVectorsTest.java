package org.lemmata.construct.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.ReferenceValues.numbers;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.model.parity.ChainLoss;
import org.lemmata.model.parity.ChainMask;
import org.lemmata.model.parity.ChainWeights;
import org.lemmata.model.parity.GradientOracle;
import org.lemmata.model.parity.ParityLink;
import org.lemmata.model.parity.ParityTransformer;
import org.lemmata.model.parity.ParityVectors;
import org.lemmata.oracle.ReferenceValues;

/** Both training algorithms, step by step, compared with an independent implementation in binary64. */
class ParityVectorsTest {

    static Stream<JsonNode> teacherForcing() {
        return ReferenceValues.cases("parity-theorem-5", 8);
    }

    @ParameterizedTest
    @MethodSource("teacherForcing")
    void oneStepWithTeacherForcingIsThatOfTheReference(JsonNode reference) {
        ParityTree tree = ParityVectors.tree(reference);
        SignColumns signs = tree.complete(ParityVectors.every(tree.bits()));
        ParityLink link = ParityVectors.link(reference);
        for (JsonNode update : reference.get("updates")) {
            var step = new TeacherForcing(update.get("lam").doubleValue(), link);
            assertThat(step.rate(tree.bits())).isCloseTo(update.get("eta").doubleValue(), within(1e-9));
            ChainWeights weights = step.learn(tree, signs, GradientOracle.exact(), Workers.caller());
            var model = new ParityTransformer(weights, link, Workers.caller());
            ParityTransformer.Errors errors = model.errors(signs);
            // The gradient has 24 bits, and eta is up to 432.
            double tolerance = 1e-3 * update.get("sup_err").doubleValue() + 1e-12;
            assertThat(errors.maxError()).isCloseTo(update.get("sup_err").doubleValue(), within(tolerance));
            assertThat(errors.rate()).isEqualTo(update.get("zero_one_err").doubleValue());
            for (int i = 0; i < 8; i++) {
                double[] chain = model.chain(signs, i);
                assertThat(chain[chain.length - 1])
                        .isCloseTo(update.get("xhat_top_first8").get(i).doubleValue(), within(1e-3));
            }
        }
    }

    static Stream<JsonNode> selfConsistency() {
        return ReferenceValues.cases("parity-theorem-7", 6);
    }

    @ParameterizedTest
    @MethodSource("selfConsistency")
    void everyStepWithSelfConsistencyIsThatOfTheReference(JsonNode reference) {
        ParityTree tree = ParityVectors.tree(reference);
        SignColumns signs = tree.complete(ParityVectors.every(tree.bits()));
        SignColumns augmented = ParityVectors.signs(reference.get("U"));
        ParityLink link = ParityVectors.link(reference);
        double[] rates = numbers(reference.get("eta_per_level"));
        var training = new SelfConsistency(
                reference.get("lam").doubleValue(),
                reference.get("eps0").doubleValue(),
                ChainWeights.toMultiples(reference.get("grid").doubleValue()),
                reference.get("variant").textValue().contains("perlevel"),
                link);
        for (int level = 1; level <= tree.height(); level++) {
            assertThat(training.rate(tree, level)).isCloseTo(rates[level - 1], within(1e-9));
        }
        var weights = new ChainWeights(tree, ChainMask.LEVEL_BY_LEVEL);
        for (JsonNode iteration : reference.get("iterations")) {
            var model = new ParityTransformer(weights, link, Workers.caller());
            boolean[] filtered = model.filtered(augmented, training.threshold());
            for (int level = 1; level <= tree.height(); level++) {
                assertThat(filtered[level])
                        .isEqualTo(
                                iteration.get("filtered_level").get(level - 1).booleanValue());
            }
            double loss = model.gradient(signs, ChainLoss.generated(filtered), new double[weights.size()]);
            assertThat(loss).isCloseTo(iteration.get("loss").doubleValue(), within(1e-11));
            weights = training.step(weights, signs, augmented, GradientOracle.exact(), Workers.caller());
            double[] expected = ParityVectors.columns(weights, iteration.get("W_columns"));
            for (int node = tree.bits() + 1; node <= tree.nodes(); node++) {
                for (int j = 1; j <= weights.visible(node); j++) {
                    assertThat(weights.get(j, node))
                            .as("w_(%d,%d)", j, node)
                            .isEqualTo(expected[weights.offset(node) + j - 1]);
                }
            }
        }
        var model = new ParityTransformer(weights, link, Workers.caller());
        ParityTransformer.Errors errors = model.errors(signs, model.filtered(augmented, training.threshold()));
        assertThat(errors.maxError()).isCloseTo(reference.get("final_sup_err").doubleValue(), within(1e-9));
        assertThat(errors.rate()).isEqualTo(reference.get("final_zero_one").doubleValue());
    }
}
