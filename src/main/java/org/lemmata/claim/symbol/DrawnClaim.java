package org.lemmata.claim.symbol;

import java.util.List;
import java.util.Locale;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.kernel.Kernels;

/**
 * A claim that is tested on draws of what it quantifies over, with more of them, and greater ones, at the standard
 * budget.
 *
 * @param quick how many draws, and of which size
 * @param standard the same of the standard budget
 * @param range a format of the number of draws and of the size
 */
record DrawnClaim(Statement statement, Amount quick, Amount standard, String range, Test test)
        implements ComputedClaim {

    /** A number of draws, and what size means in a test. */
    record Amount(int draws, int size) {}

    interface Test {
        Finding check(int draws, int size, Kernels kernels);
    }

    /** Requires that a figure of {@code n} cases is at most a bound, and shows it. */
    static void requireAtMost(Tally tally, String name, double value, long n, double bound) {
        tally.require(value <= bound, () -> name + ": " + value + ", expected at most " + bound);
        tally.atMost(name, value, "", n, bound);
    }

    private Amount amount(Budget budget) {
        return budget.of(quick, standard, standard);
    }

    @Override
    public String range(Budget budget) {
        Amount amount = amount(budget);
        return String.format(Locale.ROOT, range, amount.draws, amount.size);
    }

    @Override
    public List<Budget> budgets() {
        return quick.equals(standard) ? List.of(Budget.QUICK) : List.of(Budget.QUICK, Budget.STANDARD);
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        Amount amount = amount(budget);
        return test.check(amount.draws, amount.size, computation.kernels());
    }
}
