package org.lemmata.claim;

/**
 * The sizes of a figure.
 *
 * @param tested what is the same at all sizes
 * @param paper the paper's size, in numbers
 * @param medium what is smaller at the medium size, in numbers; equal to {@code reduced} if there is none
 * @param reduced what is smaller at the reduced size, in numbers
 */
public record Sizes(String tested, String paper, String medium, String reduced) {

    /** The name of the paper's size in records. */
    public static final String PAPER = "paper";

    /** Sizes without a medium size. */
    public Sizes(String tested, String paper, String reduced) {
        this(tested, paper, reduced, reduced);
    }

    /** Sizes from a text with bars: what all share, the paper's size, the medium size if any, the reduced size. */
    public Sizes(String text) {
        this(Statement.joined(text).split(" [|] "));
    }

    private Sizes(String[] parts) {
        this(parts[0], parts[1], parts[2], parts[parts.length - 1]);
    }

    /** The cases tested at a budget: the paper's size at the full budget. */
    public String range(Budget budget) {
        return tested + "; " + (budget == Budget.FULL ? "the paper's sizes: " + paper : size(budget));
    }

    /** {@link #PAPER}, or a text that says what is smaller than in the paper. */
    public String size(Budget budget) {
        return budget == Budget.FULL ? PAPER : "reduced: " + (budget == Budget.MEDIUM ? medium : reduced);
    }
}
