package org.lemmata.claim.parity;

import java.util.List;
import org.lemmata.claim.AdjustableClaim;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Scope;
import org.lemmata.claim.Statement;
import org.lemmata.kernel.thread.Workers;
import org.lemmata.setting.Setting;

/**
 * A claim that is tested at some numbers d of bits, and at further ones by the standard budget, with ten times the
 * draws.
 *
 * @param paper what the paper says
 * @param quick d
 * @param further d of the standard budget
 * @param bits the numbers of bits that the test can take, as {@link Setting#numbers} has them
 * @param draws at the quick one, of each size; 0 where nothing hangs on draws
 * @param sameAtEveryBudget whether every budget draws as many
 * @param rest of the range, after the numbers of bits and of draws
 */
record SizedClaim(
        Statement statement,
        String paper,
        List<Integer> quick,
        List<Integer> further,
        String bits,
        int draws,
        boolean sameAtEveryBudget,
        String rest,
        Test test)
        implements AdjustableClaim {

    /** Of draws. */
    SizedClaim(
            Statement statement,
            String paper,
            List<Integer> quick,
            List<Integer> further,
            String bits,
            int draws,
            String rest,
            Test test) {
        this(statement, paper, quick, further, bits, draws, false, rest, test);
    }

    interface Test {
        Finding check(List<Integer> sizes, int draws, Workers workers);
    }

    /** Of tests whose parities have powers of two of bits. */
    static final String POWERS = "4, 8, 16, 32, 64, 128, 256, 512";

    @Override
    public List<Setting> settings() {
        return Setting.numbers("d | " + bits + " | | bits; by default as the budget has it"
                + (draws > 0 ? "\nseeds | 1..100000 | | draws of each d; by default as the budget has it" : ""));
    }

    private List<Integer> sizes(Scope scope) {
        return scope.integers("d", scope.growing(quick, further, List.of()));
    }

    private int draws(Scope scope) {
        int more = sameAtEveryBudget ? draws : 10 * draws;
        return draws == 0 ? 0 : scope.integer("seeds", scope.of(draws, more, more));
    }

    @Override
    public String range(Scope scope) {
        return "d = " + sizes(scope) + (draws > 0 ? ", " + draws(scope) + " seeds each" : "") + rest;
    }

    @Override
    public List<Budget> budgets() {
        return List.of(Budget.QUICK, Budget.STANDARD);
    }

    @Override
    public Finding check(Scope scope, Computation computation) {
        return test.check(sizes(scope), draws(scope), computation.kernels().workers());
    }
}
