package org.lemmata.claim;

import java.util.List;
import org.lemmata.source.Source;

/** A statement of a paper, the range that it is tested on, and the verdict expected; its kinds have the test. */
public sealed interface Claim permits ComputedClaim, FigureClaim {

    /** The id in the ledger: {@code depth.theorem-4.1.loss}. */
    String id();

    /** Where the statement is found. */
    Source source();

    /** Which wording is tested. */
    Form form();

    /** The statement, in a sentence or two. */
    String statement();

    /** What is tested at a budget: sizes, counts, exhaustive or drawn. */
    String range(Budget budget);

    /** The verdict's label that is expected where nothing is rounded; another one is a failure. */
    default String expected() {
        return form() == Form.PRINTED ? "Refuted" : "Supported";
    }

    /** The budgets at which the test differs. */
    default List<Budget> budgets() {
        return List.of(Budget.values());
    }
}
