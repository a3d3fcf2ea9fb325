package org.lemmata.claim;

import java.util.List;
import java.util.Map;
import org.lemmata.setting.Setting;
import org.lemmata.setting.Settings;

/**
 * A computed claim with settings that a user may give. The defaults are what is pinned, and a user's values are tested
 * by the same code.
 */
public interface AdjustableClaim extends ComputedClaim {

    /** Its settings, with ranges and defaults, in the order in which they are shown. */
    List<Setting> settings();

    /** What is tested in a scope. */
    String range(Scope scope);

    /**
     * Runs the test in a scope.
     *
     * @throws IllegalArgumentException if settings do not go together
     */
    Finding check(Scope scope, Computation computation);

    /** Where settings leave what the statement speaks of, in words; empty where they do not. */
    default String beyond(Scope scope) {
        return scope.settings().unstated();
    }

    @Override
    default String range(Budget budget) {
        return range(scope(budget, Map.of()));
    }

    @Override
    default Finding check(Budget budget, Computation computation) {
        return check(scope(budget, Map.of()), computation);
    }

    /**
     * That of a budget with a user's settings.
     *
     * @throws IllegalArgumentException if the claim has not such settings, or a value is not legal
     */
    default Scope scope(Budget budget, Map<String, String> given) {
        return new Scope(budget, new Settings(settings(), given));
    }
}
