package org.lemmata.claim;

/**
 * The sizes of a figure.
 *
 * @param tested the properties that all sizes share
 * @param paper the paper's size, in numbers
 * @param medium the differences of the medium size, in numbers; equal to {@code reduced} if there is no medium size
 * @param reduced the differences of the reduced size, in numbers
 */
public record Sizes(String tested, String paper, String medium, String reduced) {

    /** The name of the paper's size in records. */
    public static final String PAPER = "paper";

    /** Sizes without a medium size. */
    public Sizes(String tested, String paper, String reduced) {
        this(tested, paper, reduced, reduced);
    }

    /**
     * Parses sizes, separated by bars: the common properties, the paper's size, the medium size if there is one, the
     * reduced size.
     */
    public Sizes(String text) {
        this(Statement.joined(text).split(" [|] "));
    }

    private Sizes(String[] parts) {
        this(parts[0], parts[1], parts[2], parts[parts.length - 1]);
    }

    /** The tested cases at a budget; at the full budget, the paper's size. */
    public String range(Budget budget) {
        return tested + "; " + (budget == Budget.FULL ? "the paper's sizes: " + paper : size(budget));
    }

    /** {@link #PAPER}, or a text that lists the differences from the paper's size. */
    public String size(Budget budget) {
        return budget == Budget.FULL ? PAPER : "reduced: " + (budget == Budget.MEDIUM ? medium : reduced);
    }
}
