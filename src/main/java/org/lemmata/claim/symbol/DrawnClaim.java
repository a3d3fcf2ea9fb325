package org.lemmata.claim.symbol;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.lemmata.claim.AdjustableClaim;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.kernel.Kernels;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;

/**
 * A claim that is tested on draws of what it quantifies over, with more of them, and greater ones, at the standard
 * budget.
 *
 * @param quick how many draws, and of which size
 * @param standard the same of the standard budget
 * @param table of settings besides the number of draws; the first is the size, where draws have one
 * @param range a format of the number of draws and of the size
 * @param test of a user's settings
 */
record DrawnClaim(
        Statement statement, Amount quick, Amount standard, String table, String range, Function<Settings, Test> test)
        implements AdjustableClaim {

    /** Where the size is all that a user may set besides the number of draws. */
    DrawnClaim(Statement statement, Amount quick, Amount standard, String table, String range, Test test) {
        this(statement, quick, standard, table, range, settings -> test);
    }

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

    @Override
    public List<Setting> settings() {
        return Setting.numbers("seeds | 1..100000 | | draws; by default as the budget has it\n" + table);
    }

    private Amount amount(Scope scope) {
        Amount amount = scope.of(quick, standard, standard);
        int draws = scope.integer("seeds", amount.draws);
        return amount.size == 0 || table.isEmpty()
                ? new Amount(draws, amount.size)
                : new Amount(draws, scope.integer(settings().get(1).name(), amount.size));
    }

    @Override
    public String range(Scope scope) {
        Amount amount = amount(scope);
        return String.format(Locale.ROOT, scope.settings().fill(range), amount.draws, amount.size);
    }

    @Override
    public List<Budget> budgets() {
        return quick.equals(standard) ? List.of(Budget.QUICK) : List.of(Budget.QUICK, Budget.STANDARD);
    }

    @Override
    public Finding check(Scope scope, Computation computation) {
        Amount amount = amount(scope);
        return test.apply(scope.settings()).check(amount.draws, amount.size, computation.kernels());
    }
}
