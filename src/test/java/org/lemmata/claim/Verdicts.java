package org.lemmata.claim;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks of verdicts, which show the reason where they fail. */
public final class Verdicts {

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
