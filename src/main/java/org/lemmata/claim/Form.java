package org.lemmata.claim;

/** The wording of a tested result. */
public enum Form {
    /** The paper's wording if it is false, has a gap in its proof, is corrected elsewhere, or cannot be tested. */
    PRINTED("printed", "states it in these words"),
    /** A corrected wording in place of the printed one. */
    CORRECTED("corrected", "states it in other words, corrected here"),
    /** The paper's wording if it needs no correction. */
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

    /** A phrase about how the paper states the claim. */
    public String paper() {
        return paper;
    }
}
