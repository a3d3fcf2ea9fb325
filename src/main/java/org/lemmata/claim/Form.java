package org.lemmata.claim;

/** Which wording of a result is tested. */
public enum Form {
    /** The paper's wording, where it does not hold as it stands, or cannot be tested. */
    PRINTED("printed", "states it in these words"),
    /** The corrected wording, beside a printed one. */
    CORRECTED("corrected", "states it in other words, corrected here"),
    /** The paper's wording, where nothing needs mending. */
    AS_STATED("as stated", "states it");

    private final String label;
    private final String paper;

    Form(String label, String paper) {
        this.label = label;
        this.paper = paper;
    }

    public String label() {
        return label;
    }

    /** What the paper then says of it, in a phrase. */
    public String paper() {
        return paper;
    }
}
