package org.lemmata.claim;

import java.util.List;

/** A statement, the paper's words, and the range and size of the statement's test. */
public sealed interface Claim permits ComputedClaim, FigureClaim {

    /** The tested statement. */
    Statement statement();

    /** The unique id. */
    default String id() {
        return statement().id();
    }

    /** The paper's statement, as a phrase or a quotation. */
    default String paper() {
        return statement().form().paper();
    }

    /** The cases tested at a budget: sizes, counts, exhaustive or sampled. */
    String range(Budget budget);

    /** {@link Sizes#PAPER}, or a text that lists the differences from the paper's size. */
    String size(Budget budget);

    /** The budgets with different tests. */
    default List<Budget> budgets() {
        return List.of(Budget.QUICK, Budget.STANDARD, Budget.FULL);
    }
}
