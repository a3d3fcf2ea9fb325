package org.lemmata.construct.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.ReferenceValues.number;
import static org.lemmata.oracle.ReferenceValues.numbers;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.construct.Constructions;
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
import org.lemmata.oracle.ReferenceValues.Each;

/** Both training algorithms, step by step, compared with an independent implementation in binary64. */
class ParityVectorsTest {

    @Each(file = "parity-theorem-5", count = 8)
    void oneStepWithTeacherForcingIsThatOfTheReference(JsonNode reference) {
        ParityTree tree = ParityVectors.tree(reference);
        SignColumns signs = tree.complete(ParityVectors.every(tree.bits()));
        ParityLink link = ParityVectors.link(reference);
        for (JsonNode update : reference.get("updates")) {
            var step = new TeacherForcing(number(update, "lam"), link);
            assertThat(step.rate(tree.bits())).isCloseTo(number(update, "eta"), within(1e-9));
            ChainWeights weights = step.learn(tree, signs, GradientOracle.exact(), Workers.caller());
            var model = new ParityTransformer(weights, link, Workers.caller());
            ParityTransformer.Errors errors = model.errors(signs);
            // The gradient has 24 bits, and eta is up to 432.
            double tolerance = 1e-3 * number(update, "sup_err") + 1e-12;
            assertThat(errors.maxError()).isCloseTo(number(update, "sup_err"), within(tolerance));
            assertThat(errors.rate()).isEqualTo(number(update, "zero_one_err"));
            for (int i = 0; i < 8; i++) {
                double[] chain = model.chain(signs, i);
                assertThat(chain[chain.length - 1])
                        .isCloseTo(update.get("xhat_top_first8").get(i).doubleValue(), within(1e-3));
            }
        }
    }

    @Each(file = "parity-theorem-7", count = 6)
    void everyStepWithSelfConsistencyIsThatOfTheReference(JsonNode reference) {
        ParityTree tree = ParityVectors.tree(reference);
        SignColumns signs = tree.complete(ParityVectors.every(tree.bits()));
        SignColumns augmented = ParityVectors.signs(reference.get("U"));
        ParityLink link = ParityVectors.link(reference);
        double[] rates = numbers(reference.get("eta_per_level"));
        var training = new SelfConsistency(
                number(reference, "lam"),
                number(reference, "eps0"),
                ChainWeights.toMultiples(number(reference, "grid")),
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
            assertThat(loss).isCloseTo(number(iteration, "loss"), within(1e-11));
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
        assertThat(errors.maxError()).isCloseTo(number(reference, "final_sup_err"), within(1e-9));
        assertThat(errors.rate()).isEqualTo(number(reference, "final_zero_one"));
    }

    private static Function<String, Map<String, Object>> chain(Map<String, String> settings) {
        return Constructions.CATALOGUE.entry("parity-chain").create(settings).answers(construction -> {
            throw new AssertionError("no model of a construction is asked for");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "teacher-forcing, 16, 8",
        "self-consistency, 16, 8",
        "teacher-forcing, 20, 4",
        "self-consistency, 32, 16"
    })
    void everyAnswerIsTheParityOfTheSubset(String method, int bits, int size) {
        var random = new Random(21);
        List<Integer> all =
                new ArrayList<>(IntStream.rangeClosed(1, bits).boxed().toList());
        Collections.shuffle(all, random);
        List<Integer> subset = all.subList(0, size);
        Function<String, Map<String, Object>> chain = chain(Map.of(
                "bits",
                String.valueOf(bits),
                "subset",
                subset.toString().replaceAll("[\\[\\]]", ""),
                "method",
                method,
                "seed",
                "5"));
        for (int draw = 0; draw < 50; draw++) {
            var line = new StringBuilder();
            for (int j = 0; j < bits; j++) {
                line.append(random.nextInt(2));
            }
            int ones = 0;
            for (int position : subset) {
                ones += line.charAt(position - 1) - '0';
            }
            Map<String, Object> answer = chain.apply(line.toString());
            assertThat(answer.keySet()).containsExactly("target", "answer", "prediction", "chain");
            assertThat(List.of(answer.get("target"), answer.get("answer")))
                    .as("%s", line)
                    .containsOnly(ones % 2 == 0 ? 1 : -1);
            assertThat(answer.get("chain"))
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .hasSize(size - 1)
                    .endsWith(answer.get("prediction"));
        }
    }

    /** A model learned from few samples makes errors, so its answer must not replace the true parity. */
    @Test
    void theTargetIsTheTruthWhereTheModelErrs() {
        Map<String, Object> answer = chain(Map.of("samples", "100")).apply("0110100110010110");
        assertThat(answer).containsEntry("target", 1).containsEntry("answer", -1);
    }

    @Test
    void theSameSeedGivesTheSameChain() {
        Map<String, String> settings = Map.of("samples", "500", "seed", "9");
        String line = "0110100110010110";
        assertThat(chain(settings).apply(line)).isEqualTo(chain(settings).apply(line));
        assertThat(chain(Map.of("samples", "500", "seed", "10")).apply(line))
                .isNotEqualTo(chain(settings).apply(line));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0101", "010101010101010x", "0101 010101010101", "01010101010101012"})
    void whatIsNoInputIsRefused(String line) {
        Function<String, Map<String, Object>> chain = chain(Map.of("samples", "100"));
        assertThatThrownBy(() -> chain.apply(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("input: expected ");
    }
}
