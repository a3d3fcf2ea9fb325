package org.lemmata.claim;

/** Which wording of a result is tested. */
public enum Form {
    /** The paper's wording, where it does not hold as it stands, or cannot be tested. */
    PRINTED("printed"),
    /** The corrected wording, beside a printed one. */
    CORRECTED("corrected"),
    /** The paper's wording, where nothing needs mending. */
    AS_STATED("as stated");

    private final String label;

    Form(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
