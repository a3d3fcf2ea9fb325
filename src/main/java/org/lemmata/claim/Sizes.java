package org.lemmata.claim;

/**
 * The sizes of a figure.
 *
 * @param tested what all have alike
 * @param paper the paper's size, in figures
 * @param medium what is smaller at the size between, in figures; the reduced one's where there is none
 * @param reduced what is smaller at the reduced one, in figures
 */
public record Sizes(String tested, String paper, String medium, String reduced) {

    /** The size of the paper, as records name it. */
    public static final String PAPER = "paper";

    /** Without a size between. */
    public Sizes(String tested, String paper, String reduced) {
        this(tested, paper, reduced, reduced);
    }

    /**
     * Of one text: what all have alike and, each after a bar, the paper's size, the one between if any, the reduced.
     */
    public Sizes(String text) {
        this(Statement.joined(text).split(" [|] "));
    }

    private Sizes(String[] parts) {
        this(parts[0], parts[1], parts[2], parts[parts.length - 1]);
    }

    /** What is tested at a budget: the paper's size at the full one. */
    public String range(Budget budget) {
        return tested + "; " + (budget == Budget.FULL ? "the paper's sizes: " + paper : size(budget));
    }

    /** {@link #PAPER}, or what is smaller. */
    public String size(Budget budget) {
        return budget == Budget.FULL ? PAPER : "reduced: " + (budget == Budget.MEDIUM ? medium : reduced);
    }
}
