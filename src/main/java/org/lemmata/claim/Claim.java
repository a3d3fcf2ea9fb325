package org.lemmata.claim;

import java.util.List;

/** A statement, the paper's words, and the range and size at which the statement is tested. */
public sealed interface Claim permits ComputedClaim, FigureClaim {

    /** What is claimed. */
    Statement statement();

    /** The unique id. */
    default String id() {
        return statement().id();
    }

    /** The paper's statement, as a phrase or as a quotation. */
    default String paper() {
        return statement().form().paper();
    }

    /** The cases tested at a budget: sizes, counts, exhaustive or sampled. */
    String range(Budget budget);

    /** {@link Sizes#PAPER}, or a text that says what is smaller than in the paper. */
    String size(Budget budget);

    /** The budgets whose tests differ. */
    default List<Budget> budgets() {
        return List.of(Budget.QUICK, Budget.STANDARD, Budget.FULL);
    }
}
