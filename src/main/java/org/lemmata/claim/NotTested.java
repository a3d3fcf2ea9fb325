package org.lemmata.claim;

/** The reason why a test gives no verdict on the statement. */
public enum NotTested {
    /** Settings, format or model size violate the hypothesis, or the wording is not what the paper means. */
    HYPOTHESIS("outside the hypothesis"),
    /** The user chose a number format, but no measurement depends on it. */
    FORMAT("does not depend on the format"),
    /** Our copy of the paper is a scan or a conversion, and the printed paper may differ. */
    TEXT("our text is unreadable there"),
    /** The proof or our choice of constants fails. This does not refute the statement. */
    PROOF("a gap in the proof"),
    /** Some models that the test requires have not run. */
    RUN("no run yet");

    private final String label;

    NotTested(String label) {
        this.label = label;
    }

    /** The beginning of the verdict's reason. */
    public String label() {
        return label;
    }

    /** The verdict {@link Outcome#NOT_TESTED}, whose reason is the label, a colon and a detail. */
    public Verdict because(String detail) {
        return new Verdict(Outcome.NOT_TESTED, label + ": " + detail);
    }
}
