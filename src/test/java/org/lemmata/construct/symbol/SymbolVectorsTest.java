package org.lemmata.construct.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.ReferenceValues.integer;
import static org.lemmata.oracle.ReferenceValues.integers;
import static org.lemmata.oracle.ReferenceValues.number;
import static org.lemmata.oracle.ReferenceValues.numbers;
import static org.lemmata.oracle.ReferenceValues.rows;
import static org.lemmata.oracle.ReferenceValues.stream;

import com.fasterxml.jackson.databind.JsonNode;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.lemmata.kernel.Kernels;
import org.lemmata.kernel.matrix.Matrix;
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
}
