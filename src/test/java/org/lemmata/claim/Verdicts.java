package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;

import org.lemmata.kernel.Kernels;

/** Checks of verdicts that report the verdict's reason if they fail. */
public final class Verdicts {

    /** Unrounded computation on scalar kernels. */
    public static final Computation SCALAR = Computation.unrounded(Kernels.scalar());

    private Verdicts() {}

    public static void assertOutcome(Finding finding, Outcome expected) {
        assertThat(finding.verdict().outcome()).as(finding.verdict().reason()).isEqualTo(expected);
    }

    public static void assertSupported(Finding finding) {
        assertOutcome(finding, Outcome.SUPPORTED);
    }

    /** Checks that a claim is refuted, with measurements. */
    public static void assertRefuted(Finding finding) {
        assertOutcome(finding, Outcome.REFUTED);
        assertThat(finding.measured()).isNotEmpty();
    }
}
