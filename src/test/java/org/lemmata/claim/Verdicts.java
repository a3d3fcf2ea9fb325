package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;

import org.lemmata.kernel.Kernels;

/** Checks of verdicts, which show the reason where they fail. */
public final class Verdicts {

    /** Without rounding, on the reference kernels. */
    public static final Computation SCALAR = Computation.unrounded(Kernels.scalar());

    private Verdicts() {}

    public static void assertOutcome(Finding finding, Outcome expected) {
        assertThat(finding.verdict().outcome()).as(finding.verdict().reason()).isEqualTo(expected);
    }

    public static void assertSupported(Finding finding) {
        assertOutcome(finding, Outcome.SUPPORTED);
    }

    /** What is refuted is measured, too. */
    public static void assertRefuted(Finding finding) {
        assertOutcome(finding, Outcome.REFUTED);
        assertThat(finding.measured()).isNotEmpty();
    }
}
