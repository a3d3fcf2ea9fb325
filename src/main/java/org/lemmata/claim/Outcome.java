package org.lemmata.claim;

/** The outcome of a finite test, which cannot prove a statement. */
public enum Outcome {
    /** The statement held everywhere in the tested range. */
    SUPPORTED("Supported"),
    /** The statement failed somewhere. */
    REFUTED("Refuted"),
    /** The test could not decide. */
    INCONCLUSIVE("Inconclusive"),
    /** The trained models are not significantly better than a trivial answer, so they decide nothing. */
    NOT_LEARNED("NotLearned"),
    /** The test gives no verdict on the statement; {@link NotTested} lists the reasons. */
    NOT_TESTED("NotTested");

    private final String label;

    Outcome(String label) {
        this.label = label;
    }

    /** The word in tables and records. */
    public String label() {
        return label;
    }

    /** Whether the statement held or failed. */
    public boolean isDecided() {
        return this == SUPPORTED || this == REFUTED;
    }
}
