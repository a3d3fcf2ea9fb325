package org.lemmata.claim;

import java.util.List;
import java.util.function.Function;

/**
 * A claim with the same test at every budget.
 *
 * @param range what is tested
 * @param test runs it
 */
public record FixedClaim(Statement statement, String range, Function<Computation, Finding> test)
        implements ComputedClaim {

    @Override
    public String range(Budget budget) {
        return range;
    }

    @Override
    public List<Budget> budgets() {
        return List.of(Budget.QUICK);
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        return test.apply(computation);
    }
}
