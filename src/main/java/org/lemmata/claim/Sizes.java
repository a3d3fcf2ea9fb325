package org.lemmata.claim;

/**
 * The two sizes of a figure.
 *
 * @param tested what both have alike
 * @param paper the paper's size, in figures
 * @param reduced what is smaller at the reduced one, in figures
 */
public record Sizes(String tested, String paper, String reduced) {

    /** The size of the paper, as records name it. */
    public static final String PAPER = "paper";

    /** What is tested at a budget: the paper's size at the full one. */
    public String range(Budget budget) {
        return tested + "; " + (budget == Budget.FULL ? "the paper's sizes: " + paper : size(budget));
    }

    /** {@link #PAPER}, or what is smaller. */
    public String size(Budget budget) {
        return budget == Budget.FULL ? PAPER : "reduced: " + reduced;
    }
}
