package org.lemmata.claim;

/** What a finite test says of a statement; it never says proved. */
public enum Outcome {
    /** The statement held everywhere in the tested range. */
    SUPPORTED("Supported"),
    /** It failed somewhere. */
    REFUTED("Refuted"),
    /** The test could not decide. */
    INCONCLUSIVE("Inconclusive"),
    /** The trained models are not significantly better than a trivial answer, so that they decide nothing. */
    NOT_LEARNED("NotLearned"),
    /** The answer is no verdict on the statement; {@link NotTested} has the reasons. */
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
