package org.lemmata.construct.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.ReferenceValues.integer;
import static org.lemmata.oracle.ReferenceValues.integers;
import static org.lemmata.oracle.ReferenceValues.number;
import static org.lemmata.oracle.ReferenceValues.numbers;
import static org.lemmata.oracle.ReferenceValues.rows;
import static org.lemmata.oracle.ReferenceValues.stream;
import static org.lemmata.oracle.Refusals.assertRefused;

import com.fasterxml.jackson.databind.JsonNode;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.matrix.Matrix;
import org.lemmata.oracle.PlainAttentionKernel;
import org.lemmata.oracle.ReferenceValues.Each;
import org.lemmata.task.symbol.Template;

/** The kernels of template tasks, compared with values of an independent implementation in binary64. */
class SymbolVectorsTest {

    @Each(file = "symbol-kernel-quadrature", count = 22)
    void quadratureIsThatOfTheVectors(JsonNode vector) {
        var kernel = new AttentionKernel(number(vector, "beta"), number(vector, "gamma"), 1e-8);
        assertThat(kernel.of(integers(vector.get("x")), integers(vector.get("y"))))
                .isCloseTo(number(vector, "value"), within(1e-7));
    }

    @Each(file = "symbol-kernel-draws", count = 5)
    void integrandsOfDrawsAreThoseOfTheVectors(JsonNode vector) {
        var tokens = new IntArrayList();
        List<JsonNode> columns = new ArrayList<>();
        for (Map.Entry<String, JsonNode> zeta : vector.get("zeta").properties()) {
            tokens.add(Integer.parseInt(zeta.getKey()));
            columns.add(zeta.getValue());
        }
        JsonNode p = vector.get("p");
        int k = p.get(0).size();
        int width = tokens.size() + k;
        float[] normals = new float[p.size() * width];
        for (int i = 0; i < p.size(); i++) {
            for (int t = 0; t < tokens.size(); t++) {
                normals[i * width + t] = columns.get(t).get(i).floatValue();
            }
            for (int a = 0; a < k; a++) {
                normals[i * width + tokens.size() + a] = p.get(i).get(a).floatValue();
            }
        }
        for (Kernels kernels : List.of(Kernels.best(), Kernels.scalar())) {
            var draws = new AttentionKernelDraws(number(vector, "beta"), number(vector, "gamma"), kernels);
            assertThat(draws.integrands(
                            integers(vector.get("x")),
                            integers(vector.get("y")),
                            tokens,
                            Matrix.of(normals, p.size(), width)))
                    .containsExactly(numbers(vector.get("integrand_per_draw")), within(2e-6));
        }
    }

    @Each(file = "symbol-claim-e2", count = 3)
    void theGaussianIntegralIsThatOfTheVectors(JsonNode vector) {
        assertThat(new CosineLink(number(vector, "b1"), number(vector, "b2"))
                        .expectation(number(vector, "a"), number(vector, "b"), number(vector, "rho")))
                .isCloseTo(number(vector, "value"), within(1e-15));
    }

    @Each(file = "symbol-kernel-derivatives", count = 3)
    void derivativesAreThoseOfTheVectors(JsonNode vector) {
        for (Map.Entry<String, JsonNode> derivative : vector.get("derivs").properties()) {
            String name = derivative.getKey();
            int beta = name.charAt(1) - '0';
            int gamma = name.charAt(3) - '0';
            assertThat(
                            AttentionKernelDerivatives.of(integers(vector.get("x")), integers(vector.get("y")), beta)[
                                    gamma / 2])
                    .as(name)
                    .isCloseTo(derivative.getValue().doubleValue(), within(1e-9));
        }
    }

    /** Vectors with fewer quadrature points are less accurate. */
    @Each(file = "symbol-template-matrix", count = 3)
    void templateMatricesAreThoseOfTheVectors(JsonNode vector) {
        List<Template> templates = stream(vector.get("templates"))
                .map(text -> template(text.textValue().replace("[CLS]", "")))
                .toList();
        double tolerance = integer(vector, "quad_points") >= 16 ? 1e-7 : 3e-5;
        TemplateMatrix matrix = TemplateMatrix.of(
                new AttentionKernel(number(vector, "beta"), number(vector, "gamma"), 1e-8), templates);
        var link = new CosineLink(number(vector, "b1"), number(vector, "b2"));
        double[][] entries = rows(vector.get("N_attn"));
        double[] self = numbers(vector.get("K_attn_self"));
        assertEntries(matrix, entries, tolerance);
        assertEntries(matrix.linked(link), rows(vector.get("N_trans")), tolerance);
        assertEntries(TemplateMatrix.of(entries, self).linked(link), rows(vector.get("N_trans")), 1e-12);
        assertThat(IntStream.range(0, self.length).mapToDouble(matrix::self).toArray())
                .containsExactly(self, within(tolerance));
        assertThat(matrix.leastGap()).isCloseTo(number(vector, "min_permutation_gap"), within(tolerance));
        assertThat(matrix.eigenvalues()).containsExactly(numbers(vector.get("eig_N_attn")), within(4 * tolerance));
        assertThat(TemplateMatrix.of(entries, self).linked(link).eigenvalues())
                .containsExactly(numbers(vector.get("eig_N_trans")), within(1e-12));
    }

    /** Lower-case letters are wildcards; [CLS] is appended. */
    static Template template(String letters) {
        int[] template = new int[letters.length() + 1];
        for (int i = 0; i < letters.length(); i++) {
            char letter = letters.charAt(i);
            template[i] = Character.isLowerCase(letter) ? 'a' - 1 - letter : letter - 'A' + 1;
        }
        return new Template(template);
    }

    private static void assertEntries(TemplateMatrix matrix, double[][] expected, double tolerance) {
        for (int i = 0; i < expected.length; i++) {
            for (int j = 0; j < expected.length; j++) {
                assertThat(matrix.get(i, j)).as("N_%d%d", i, j).isCloseTo(expected[i][j], within(tolerance));
            }
        }
    }

    @Each(file = "symbol-ridge-regression", count = 4)
    void predictionsAreThoseOfTheVectors(JsonNode vector) {
        double[] matrix = stream(vector.get("K"))
                .flatMapToDouble(row -> stream(row).mapToDouble(JsonNode::doubleValue))
                .toArray();
        double[] alpha = KernelRidgeRegression.coefficients(matrix, numbers(vector.get("y")), number(vector, "lam"));
        double[][] unseen = rows(vector.get("k_unseen"));
        for (int i = 0; i < unseen.length; i++) {
            double[] row = unseen[i];
            assertThat(IntStream.range(0, row.length)
                            .mapToDouble(j -> alpha[j] * row[j])
                            .sum())
                    .isCloseTo(vector.get("prediction_unseen").get(i).doubleValue(), within(1e-9));
        }
    }

    @Each(file = "symbol-ridge-regression", list = "ideal", count = 4)
    void idealizedErrorsAreThoseOfTheVectors(JsonNode vector) {
        TemplateMatrix matrix = TemplateMatrix.of(rows(vector.get("N_trans")), numbers(vector.get("K_self")));
        double[] labels = numbers(vector.get("labels"));
        int n = integer(vector, "n");
        Map<String, Double> lambdas =
                Map.of("lam=0.001", 0.001, "lam=0.01*sqrt(n)", 0.01 * Math.sqrt(n), "lam=0.01*n", 0.01 * n);
        lambdas.forEach((name, lambda) -> {
            var estimator = new IdealizedEstimator(matrix, new double[] {n / 2.0, n / 2.0}, lambda, true);
            double[] answers = estimator.answers(labels);
            double error = IntStream.range(0, 2)
                    .mapToDouble(j -> Math.pow(answers[j] - labels[j], 2) / 2)
                    .sum();
            assertThat(error).as(name).isCloseTo(vector.get("mse").get(name).doubleValue(), within(1e-9));
        });
    }

    private static final double TOLERANCE = 1e-7;

    private static int[] tokens(String text) {
        return text.chars().map(c -> c - '0').toArray();
    }

    private static List<Template> templates(String... texts) {
        return Arrays.stream(texts).map(SymbolVectorsTest::template).toList();
    }

    /** Strings with and without a common last token. */
    @ParameterizedTest
    @CsvSource({
        "00, 11, 0.8, 0.7",
        "01, 01, 1.1, 0.5",
        "01, 10, 0.5, 1.3",
        "02, 12, 0.9, 0",
        "00, 01, 0, 1",
        "01, 21, 0.7, 0.9"
    })
    void quadratureIsThatOfTheFormula(String x, String y, double beta, double gamma) {
        assertThat(new AttentionKernel(beta, gamma, TOLERANCE).of(tokens(x), tokens(y)))
                .isCloseTo(PlainAttentionKernel.of(tokens(x), tokens(y), beta, gamma), within(3e-7));
    }

    @Test
    void valuesDependOnWhatIsAlikeAlone() {
        var kernel = new AttentionKernel(0.9, 0.8, 1e-4);
        var remembered = kernel.remembered();
        int[] x = tokens("0129");
        int[] y = tokens("3109");
        double value = kernel.of(x, y);
        assertThat(kernel.of(y, x)).isCloseTo(value, within(1e-12));
        assertThat(kernel.of(tokens("5347"), tokens("1357"))).isCloseTo(value, within(1e-12));
        assertThat(remembered.of(x, y)).isEqualTo(remembered.of(tokens("5347"), tokens("1357")));
        assertThat(remembered.of(tokens("0099"), tokens("0109"))).isEqualTo(kernel.of(tokens("0099"), tokens("0109")));
    }

    @Test
    void aRememberedKernelConfusesNoTwoPairs() {
        TokenSymmetricKernel kernel =
                (x, y) -> TokenSymmetricKernel.incidence(0.3).of(x, y)
                        + (x[0] == y[2] ? 10 : 0)
                        + (x[2] == y[0] ? 10 : 0)
                        + (x[1] == y[2] ? 100 : 0)
                        + (x[2] == y[1] ? 100 : 0);
        var remembered = kernel.remembered();
        for (int pair = 0; pair < 4096; pair++) {
            int[] x = {pair & 3, pair >> 2 & 3, pair >> 4 & 3};
            int[] y = {pair >> 6 & 3, pair >> 8 & 3, pair >> 10};
            assertThat(remembered.of(x, y)).as("%d", pair).isEqualTo(kernel.of(x, y));
        }
    }

    /** The mean of draws agrees with the quadrature, also for strings of five tokens. */
    @ParameterizedTest
    @CsvSource({"0109, 2119, 1, 1", "01019, 23239, 0.6, 0.7"})
    void drawsHaveTheMeanOfTheQuadrature(String x, String y, double beta, double gamma) {
        var draws = new AttentionKernelDraws(beta, gamma, Kernels.best());
        IntList tokens = AttentionKernelDraws.tokens(List.of(tokens(x), tokens(y)));
        int n = 100_000;
        double[] integrands = draws.integrands(
                tokens(x),
                tokens(y),
                tokens,
                AttentionKernelDraws.normals(n, tokens.size() + x.length(), new Random(5)));
        double mean = Arrays.stream(integrands).average().orElseThrow();
        double error = Math.sqrt(Arrays.stream(integrands)
                        .map(value -> Math.pow(value - mean, 2))
                        .sum()
                / n
                / n);
        assertThat(new AttentionKernel(beta, gamma, 1e-4).of(tokens(x), tokens(y)))
                .isCloseTo(mean, within(4 * error));
    }

    @Test
    void matricesAreSingularWhereTheyHaveToBe() {
        List<Template> templates = templates("aba", "abb");
        assertThat(TemplateMatrix.of(new AttentionKernel(1, 0, 1e-5), templates).leastGap())
                .isLessThan(1e-30);
        var perceptron = TokenSymmetricKernel.incidence(0).linked(new CosineLink(1, 0.4));
        assertThat(TemplateMatrix.of(perceptron, templates).eigenvalues()[0]).isCloseTo(0, within(1e-16));
        var withIncidence = TokenSymmetricKernel.incidence(0.5).linked(new CosineLink(1, 0.4));
        assertThat(TemplateMatrix.of(withIncidence, templates).condition()).isLessThan(1e3);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "-1; 1; 1e-6; beta: expected 0 to 16 / sqrt(1 + gamma²) = 11.31370849898476, got -1.0",
                "1; NaN; 1e-6; gamma: expected at least 0, and finite, got NaN",
                "1; 1; 0.1; tolerance: expected 1.0E-12 to 0.01, got 0.1"
            })
    void kernelsThatAreNoneAreRefused(double beta, double gamma, double tolerance, String message) {
        assertRefused(() -> new AttentionKernel(beta, gamma, tolerance), message);
    }

    @Test
    void whatDoesNotFitIsRefused() {
        var kernel = new AttentionKernel(1, 1, 1e-6);
        assertRefused(
                () -> kernel.of(tokens("012"), tokens("01")), "length of a string: expected 3 as of others, got 2");
        assertThatThrownBy(() -> kernel.of(tokens("0123456789"), tokens("0123456789")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("nodes: expected at most ");
        assertRefused(
                () -> KernelRidgeRegression.coefficients(new double[] {1, 1, 1, 1}, new double[] {1, 2}, 0),
                "lambda: expected one with a positive definite K + lambda I, got 0.0");
        assertRefused(
                () -> AttentionKernelDerivatives.of(tokens("01"), tokens("01"), 3),
                "order: expected even, 0 to 12, got 3");
    }
}
