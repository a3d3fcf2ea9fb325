package org.lemmata.claim;

import java.util.List;

/** A statement, what the paper says of it, and the range and size that it is tested at; its kinds have the test. */
public sealed interface Claim permits ComputedClaim, FigureClaim {

    /** What is claimed. */
    Statement statement();

    /** The id in the ledger. */
    default String id() {
        return statement().id();
    }

    /** What the paper says, in a phrase or in its own words. */
    default String paper() {
        return statement().form().paper();
    }

    /** What is tested at a budget: sizes, counts, exhaustive or drawn. */
    String range(Budget budget);

    /** {@link Sizes#PAPER}, or what is smaller. */
    String size(Budget budget);

    /** The budgets at which the test differs. */
    default List<Budget> budgets() {
        return List.of(Budget.QUICK, Budget.STANDARD, Budget.FULL);
    }
}
