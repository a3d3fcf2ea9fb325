package org.lemmata.claim.symbol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lemmata.claim.Verdicts.assertOutcome;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.Tally;
import org.lemmata.construct.symbol.AttentionKernel;
import org.lemmata.construct.symbol.CosineLink;
import org.lemmata.construct.symbol.KernelRidgeRegression;
import org.lemmata.construct.symbol.TemplateMatrix;
import org.lemmata.construct.symbol.TokenSymmetricKernel;
import org.lemmata.kernel.Kernels;
import org.lemmata.task.symbol.Template;

/** Each claim is refuted where it does not hold, and printed statements are supported where they would hold. */
class SymbolRefutationTest {

    private static final Kernels KERNELS = Kernels.best();

    @Test
    void formulasThatAreWrongAreRefuted() {
        assertOutcome(GaussianIntegral.check(20, (link, a, b, rho) -> link.expectation(a, b, -rho)), Outcome.REFUTED);
        assertOutcome(AttentionDerivatives.check(2, 3, 1.0001), Outcome.REFUTED);
        assertOutcome(PermutationCondition.checkEigenvalues(4, 3, 0, KernelDraw.ANY), Outcome.REFUTED);
        var tally = new Tally();
        PermutationCondition.requireAbove(tally, "", 0);
        assertOutcome(tally.finding(""), Outcome.REFUTED);
    }

    @Test
    void boundsAndRatesThatAreTooSmallAreRefuted() {
        assertOutcome(RidgeBound.check(4, 60, 1e-4), Outcome.REFUTED);
        assertOutcome(UnseenSymbols.check(2, 64, 1, KernelDraw.ANY, KERNELS), Outcome.REFUTED);
        assertOutcome(FlowLimit.check(2, 12, 1.1, KernelDraw.ANY), Outcome.REFUTED);
        assertOutcome(WideNetworks.check(8, 48, 0, KERNELS), Outcome.REFUTED);
    }

    @Test
    void perceptronsThatWouldNotFailAreRefuted() {
        assertOutcome(PerceptronFailure.check(1, 200, 8, KERNELS), Outcome.REFUTED);
        assertOutcome(PerceptronFailure.check(1, 4, 1, KERNELS), Outcome.INCONCLUSIVE);
        assertOutcome(PerceptronFailure.checkKernel(3, 32, 0.5), Outcome.REFUTED);
        assertOutcome(PerceptronFailure.checkPermuted(4, 20, true, KERNELS), Outcome.REFUTED);
    }

    @Test
    void whatWasPrintedIsSupportedWhereItHolds() {
        assertOutcome(RidgeBound.checkOrder(5, 0.5), Outcome.SUPPORTED);
    }

    /** Compares with the regression itself: every string over twelve tokens once, with a very small ridge. */
    @Test
    void theErrorWithAllStringsAsSamplesIsThatOfTheRegression() {
        var task = new TemplateDraw(List.of(new Template(-1, -1, 0), new Template(-1, -2, 0)), new double[] {1, -1}, 1);
        TokenSymmetricKernel kernel =
                TokenSymmetricKernel.transformer(new AttentionKernel(4, 1, 1e-4), new CosineLink(1, 1.2));
        List<int[]> strings = IntStream.range(0, 144)
                .mapToObj(at -> new int[] {1 + at / 12, 1 + at % 12, 0})
                .toList();
        double[] labels =
                strings.stream().mapToDouble(x -> x[0] == x[1] ? 1 : -1).toArray();
        var regression = KernelRidgeRegression.fit(kernel, strings, labels, 1e-9);
        double error = IntStream.range(0, 2)
                .mapToDouble(t -> Math.abs(regression.predict(task.unseen(t, 12)) - task.labels()[t]))
                .max()
                .orElseThrow();
        var drawn = new UnseenSymbols.Task(task, kernel, TemplateMatrix.of(kernel, task.templates()), 1e-9);
        assertThat(drawn.errorOfAll(12)).isCloseTo(error, within(1e-6)).isGreaterThan(0.1);
    }
}
