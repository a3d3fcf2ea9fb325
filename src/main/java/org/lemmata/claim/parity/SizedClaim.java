package org.lemmata.claim.parity;

import java.util.List;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Statement;
import org.lemmata.kernel.thread.Workers;

/**
 * A claim that is tested at some numbers d of bits, and at further ones by the standard budget, with ten times the
 * draws.
 *
 * @param paper what the paper says
 * @param quick d
 * @param further d of the standard budget
 * @param draws at the quick one, of each size
 * @param rest of the range, after the numbers of bits and of draws
 */
record SizedClaim(
        Statement statement,
        String paper,
        List<Integer> quick,
        List<Integer> further,
        int draws,
        String rest,
        Test test)
        implements ComputedClaim {

    /** Of some d. */
    interface Test {
        Finding check(List<Integer> sizes, int draws, Workers workers);
    }

    private List<Integer> sizes(Budget budget) {
        return budget.growing(quick, further, List.of());
    }

    private int draws(Budget budget) {
        return budget.of(draws, 10 * draws, 10 * draws);
    }

    @Override
    public String range(Budget budget) {
        return "d = " + sizes(budget) + (draws > 0 ? ", " + draws(budget) + " draws each" : "") + rest;
    }

    @Override
    public List<Budget> budgets() {
        return List.of(Budget.QUICK, Budget.STANDARD);
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        return test.check(sizes(budget), draws(budget), computation.kernels().workers());
    }
}
