package org.lemmata.model.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.ReferenceValues.number;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lemmata.index.ParityTree;
import org.lemmata.index.SignColumns;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.oracle.ReferenceValues;
import org.lemmata.oracle.ReferenceValues.Each;

/** Links, losses, chains and gradients, compared with an independent implementation and with central differences. */
class ParityTransformerTest {

    private static final double CLOSE = 1e-12;

    @Each(file = "parity-link", count = 6)
    void linksAreThoseOfTheReference(JsonNode reference) {
        ParityLink link = ParityVectors.link(reference);
        assertThat(link.curvature()).isCloseTo(number(reference, "c"), within(CLOSE));
        // The reference takes the maximum over a grid.
        assertThat(link.maxSlope()).isCloseTo(number(reference, "sup_abs_dphi"), within(1e-6));
        for (int i = 0; i < reference.get("t").size(); i++) {
            double t = reference.get("t").get(i).doubleValue();
            assertThat(link.value(t))
                    .as("phi(%s)", t)
                    .isCloseTo(reference.get("phi").get(i).doubleValue(), within(CLOSE));
            assertThat(link.slope(t))
                    .as("phi'(%s)", t)
                    .isCloseTo(reference.get("dphi").get(i).doubleValue(), within(CLOSE));
        }
    }

    @Each(file = "parity-gradients", count = 27)
    void lossesChainsAndGradientsAreThoseOfTheReference(JsonNode reference) {
        ParityTree tree = ParityVectors.tree(reference);
        SignColumns inputs = ParityVectors.signs(reference.get("X"));
        SignColumns signs = tree.complete(inputs);
        String mode = reference.get("mode").textValue();
        ChainMask mask = mode.equals("tf_full_mask") ? ChainMask.TOKEN_BY_TOKEN : ChainMask.LEVEL_BY_LEVEL;
        ChainWeights weights = ParityVectors.weights(tree, mask, reference.get("W_columns"));
        ParityLink link = ParityVectors.link(reference);
        var model = new ParityTransformer(weights, link, Workers.caller());
        if (mode.equals("no_tf")) {
            SignColumns augmented = ParityVectors.signs(reference.get("U"));
            for (double threshold : new double[] {0.3, 1.2}) {
                JsonNode expected = reference.get("eps0_" + threshold);
                boolean[] filtered = new boolean[tree.height() + 1];
                double[] information = model.information(augmented, threshold, filtered);
                assertThat(model.filtered(augmented, threshold)).isEqualTo(filtered);
                for (int level = 1; level <= tree.height(); level++) {
                    assertThat(filtered[level])
                            .isEqualTo(expected.get("filtered_level")
                                    .get(level - 1)
                                    .booleanValue());
                    assertThat(information[level])
                            .isCloseTo(
                                    expected.get("max_abs_u_plus_1_min_and_max_over_nodes_feeding_level")
                                            .get(level - 1)
                                            .get(0)
                                            .doubleValue(),
                                    within(CLOSE));
                }
                requireGradient(model, weights, signs, ChainLoss.generated(filtered), expected);
            }
        } else {
            requireGradient(model, weights, signs, ChainLoss.teacherForcing(tree), reference);
            JsonNode rows = reference.get("inference_xhat_rows");
            for (int i = 0; i < rows.size(); i++) {
                double[] chain = model.chain(inputs, i);
                for (int node = 0; node < chain.length; node++) {
                    assertThat(chain[node]).isCloseTo(rows.get(i).get(node).doubleValue(), within(CLOSE));
                }
            }
        }
    }

    private static void requireGradient(
            ParityTransformer model, ChainWeights weights, SignColumns signs, ChainLoss loss, JsonNode expected) {
        double[] gradient = new double[weights.size()];
        assertThat(model.gradient(signs, loss, gradient)).isCloseTo(number(expected, "loss"), within(CLOSE));
        assertThat(gradient)
                .containsExactly(ParityVectors.columns(weights, expected.get("grad_columns")), within(CLOSE));
    }

    private static ChainWeights randomWeights(ParityTree tree, ChainMask mask, Random random) {
        return new ChainWeights(tree, mask).rounded(zero -> random.nextGaussian());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theGradientThroughTheChainIsThatOfCentralDifferences(boolean finalAnswerAlone) {
        var random = new Random(9);
        for (ParityLink link : new ParityLink[] {new ParityLink.Polynomial(), new ParityLink.Cosine()}) {
            for (ChainMask mask : ChainMask.values()) {
                ParityTree tree = ParityTree.random(11, 8, random);
                SignColumns signs = tree.complete(SignColumns.random(11, 41, random));
                ChainWeights weights = randomWeights(tree, mask, random);
                ChainLoss loss = finalAnswerAlone
                        ? ChainLoss.finalAnswer(tree)
                        : ChainLoss.generated(new boolean[tree.height() + 1]);
                double[] gradient = new double[weights.size()];
                new ParityTransformer(weights, link, Workers.caller()).gradient(signs, loss, gradient);
                double step = 1e-5;
                for (int node = tree.bits() + 1; node <= tree.nodes(); node++) {
                    for (int j = 1; j <= weights.visible(node); j++) {
                        int at = node;
                        int of = j;
                        DoubleUnaryOperator shifted = by -> {
                            ChainWeights other = weights.rounded(weight -> weight);
                            other.set(of, at, weights.get(of, at) + by);
                            return new ParityTransformer(other, link, Workers.caller())
                                    .gradient(signs, loss, new double[weights.size()]);
                        };
                        double difference = (shifted.applyAsDouble(step) - shifted.applyAsDouble(-step)) / (2 * step);
                        assertThat(gradient[weights.offset(node) + j - 1])
                                .as("w_(%d,%d), %s, %s", j, node, link, mask)
                                .isCloseTo(difference, within(1e-8));
                    }
                }
            }
        }
    }

    @Test
    void packedBitsGiveTheInitialGradient() {
        var random = new Random(4);
        for (ParityLink link : new ParityLink[] {
            new ParityLink.Polynomial(), new ParityLink.Cosine(), new ParityLink.PiecewiseQuadratic(0.5)
        }) {
            for (ChainMask mask : ChainMask.values()) {
                for (int samples : new int[] {1, 64, 4_097, 9_000}) {
                    ParityTree tree = ParityTree.random(random.nextInt(16, 40), 16, random);
                    SignColumns signs = tree.complete(SignColumns.random(tree.bits(), samples, random));
                    var zero = new ChainWeights(tree, mask);
                    double[] expected = new double[zero.size()];
                    double loss = new ParityTransformer(zero, link, Workers.caller())
                            .gradient(signs, ChainLoss.teacherForcing(tree), expected);
                    double[] packed = new double[zero.size()];
                    assertThat(InitialGradient.of(zero, link, signs, Workers.caller(), packed))
                            .isCloseTo(loss, within(1e-9));
                    // |x_j - z| <= 2, the error of g is at most 2^-23 of its maximum, which is below 8, and M >= 16.
                    assertThat(packed).containsExactly(expected, within(2 * 8 * 0x1p-23 / 16));
                }
            }
        }
    }

    @Test
    void theInitialGradientIsThatOfTheReference() {
        for (JsonNode reference : ReferenceValues.cases("parity-theorem-5", 8).toList()) {
            ParityTree tree = ParityVectors.tree(reference);
            var zero = new ChainWeights(tree, ChainMask.TOKEN_BY_TOKEN);
            double[] gradient = new double[zero.size()];
            double loss = InitialGradient.of(
                    zero,
                    ParityVectors.link(reference),
                    tree.complete(ParityVectors.every(tree.bits())),
                    Workers.caller(),
                    gradient);
            assertThat(loss).isCloseTo(number(reference, "loss0"), within(1e-9));
            assertThat(gradient)
                    .containsExactly(ParityVectors.columns(zero, reference.get("grad_columns")), within(2e-7));
        }
    }

    @Test
    void bitsAreTheSameForEveryNumberOfThreads() {
        var random = new Random(6);
        ParityTree tree = ParityTree.random(24, 16, random);
        SignColumns signs = tree.complete(SignColumns.random(24, 20_000, random));
        ChainWeights weights = randomWeights(tree, ChainMask.LEVEL_BY_LEVEL, random);
        var link = new ParityLink.Polynomial();
        double[] expected = new double[weights.size()];
        double[] initial = new double[weights.size()];
        var one = new ParityTransformer(weights, link, Workers.caller());
        double loss = one.gradient(signs, ChainLoss.teacherForcing(tree), expected);
        double initialLoss = InitialGradient.of(weights, link, signs, Workers.caller(), initial);
        ParityTransformer.Errors errors = one.errors(signs);
        for (int threads : new int[] {2, 3, 8}) {
            try (Workers workers = Workers.of(threads)) {
                double[] gradient = new double[weights.size()];
                var model = new ParityTransformer(weights, link, workers);
                assertThat(model.gradient(signs, ChainLoss.teacherForcing(tree), gradient))
                        .isEqualTo(loss);
                assertThat(gradient).isEqualTo(expected);
                assertThat(InitialGradient.of(weights, link, signs, workers, gradient))
                        .isEqualTo(initialLoss);
                assertThat(gradient).isEqualTo(initial);
                assertThat(model.errors(signs).errorByLevel()).isEqualTo(errors.errorByLevel());
                assertThat(model.errors(signs).wrong()).isEqualTo(errors.wrong());
            }
        }
    }

    @Test
    void errorsAreThoseOfTheChains() {
        var random = new Random(7);
        ParityTree tree = ParityTree.random(9, 4, random);
        SignColumns signs = tree.complete(SignColumns.random(9, 77, random));
        var model = new ParityTransformer(
                randomWeights(tree, ChainMask.TOKEN_BY_TOKEN, random), new ParityLink.Polynomial(), Workers.caller());
        int wrong = 0;
        double maximum = 0;
        for (int i = 0; i < 77; i++) {
            double[] chain = model.chain(signs, i);
            double error = chain[chain.length - 1] - signs.sign(tree.nodes() - 1, i);
            wrong += Math.abs(error) >= 1 ? 1 : 0;
            maximum = Math.max(maximum, Math.abs(error));
        }
        ParityTransformer.Errors errors = model.errors(signs);
        assertThat(errors.wrong()).isEqualTo(wrong).isPositive();
        assertThat(errors.maxError()).isEqualTo(maximum);
        assertThat(errors.samples()).isEqualTo(77);
    }

    @Test
    void oraclesAreAsFarOffAsTheySay() {
        var random = new Random(3);
        double[] gradient = random.doubles(200, -1, 1).toArray();
        assertThat(GradientOracle.distance(GradientOracle.noisy(0.25, random).answer(gradient), gradient))
                .isCloseTo(0.25, within(1e-12));
        double[] rounded = GradientOracle.rounding(0.125).answer(gradient);
        for (int i = 0; i < gradient.length; i++) {
            assertThat(rounded[i] * 8).isEqualTo(Math.rint(rounded[i] * 8));
            assertThat(rounded[i]).isCloseTo(gradient[i], within(0.0625));
        }
        double[] near = gradient.clone();
        near[0] += 0.5;
        assertThat(GradientOracle.adversarial(0.6, near).answer(gradient)).isEqualTo(near);
        assertThat(GradientOracle.adversarial(0.4, near).answer(gradient)).isEqualTo(gradient);
        assertThat(GradientOracle.exact().answer(gradient)).isEqualTo(gradient).isNotSameAs(gradient);
    }
}
