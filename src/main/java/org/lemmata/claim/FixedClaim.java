package org.lemmata.claim;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;

/**
 * A claim with the same test at every budget.
 *
 * @param settings what of it a user may set; each has a default
 * @param range what is tested, with settings as {@code {name}}
 * @param test runs it
 */
public record FixedClaim(
        Statement statement, List<Setting> settings, String range, BiFunction<Settings, Computation, Finding> test)
        implements AdjustableClaim {

    /** With a {@linkplain Setting#numbers table} of settings. */
    public FixedClaim(
            Statement statement, String settings, String range, BiFunction<Settings, Computation, Finding> test) {
        this(statement, Setting.numbers(settings), range, test);
    }

    /** With nothing to set. */
    public FixedClaim(Statement statement, String range, Function<Computation, Finding> test) {
        this(statement, List.of(), range, (settings, computation) -> test.apply(computation));
    }

    @Override
    public String range(Scope scope) {
        return scope.settings().fill(range);
    }

    @Override
    public List<Budget> budgets() {
        return List.of(Budget.QUICK);
    }

    @Override
    public Finding check(Scope scope, Computation computation) {
        return test.apply(scope.settings(), computation);
    }
}
