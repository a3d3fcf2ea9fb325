package org.lemmata.claim.symbol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.Tally;
import org.lemmata.construct.symbol.CosineLink;
import org.lemmata.kernel.Kernels;

/** Each claim is refuted where it does not hold, and what was printed is supported where it would. */
class SymbolRefutationTest {

    private static final Kernels KERNELS = Kernels.best();

    private static void assertOutcome(Finding finding, Outcome outcome) {
        assertThat(finding.verdict().outcome()).as(finding.verdict().reason()).isEqualTo(outcome);
    }

    @Test
    void formulasThatAreWrongAreRefuted() {
        assertOutcome(GaussianIntegral.check(20, (link, a, b, rho) -> link.expectation(a, b, -rho)), Outcome.REFUTED);
        assertOutcome(AttentionDerivatives.check(2, 3, 1.0001, k -> 1), Outcome.REFUTED);
        assertOutcome(NonsingularLink.check(4, 3, 0, KernelDraw.ANY), Outcome.REFUTED);
        var tally = new Tally();
        PermutationCondition.requireAbove(tally, "", 0);
        assertOutcome(tally.finding(""), Outcome.REFUTED);
    }

    @Test
    void boundsAndRatesThatAreTooSmallAreRefuted() {
        assertOutcome(RidgeBound.check(4, 60, 1e-4), Outcome.REFUTED);
        assertOutcome(UnseenSymbols.check(2, 16, 3, KernelDraw.ANY, KERNELS), Outcome.REFUTED);
        assertOutcome(FlowLimit.check(2, 12, 1.1, KernelDraw.ANY), Outcome.REFUTED);
        assertOutcome(WideNetworks.check(8, 48, 0, KERNELS), Outcome.REFUTED);
    }

    @Test
    void perceptronsThatWouldNotFailAreRefuted() {
        assertOutcome(PerceptronFailure.check(1, 200, 8, KERNELS), Outcome.REFUTED);
        assertOutcome(PerceptronFailure.check(1, 4, 1, KERNELS), Outcome.INCONCLUSIVE);
        assertOutcome(PerceptronFailure.checkKernel(3, 32, 0.5), Outcome.REFUTED);
        assertOutcome(PermutedPerceptron.check(4, 20, true, KERNELS), Outcome.REFUTED);
    }

    @Test
    void whatWasPrintedIsSupportedWhereItHolds() {
        assertOutcome(GaussianIntegral.checkPrinted(20, CosineLink::expectation), Outcome.SUPPORTED);
        assertOutcome(RidgeBound.checkPrinted(5, 0.5), Outcome.SUPPORTED);
        assertOutcome(UnseenSymbols.checkPrinted(5, 0.5, KernelDraw.ANY), Outcome.SUPPORTED);
    }
}
