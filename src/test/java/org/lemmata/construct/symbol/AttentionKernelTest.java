package org.lemmata.construct.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.oracle.Refusals.assertRefused;

import it.unimi.dsi.fastutil.ints.IntList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lemmata.kernel.Kernels;
import org.lemmata.oracle.PlainAttentionKernel;
import org.lemmata.task.symbol.Template;

class AttentionKernelTest {

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
