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

    /**
     * What is tested at a budget with some settings.
     *
     * @throws IllegalArgumentException if one is not legal
     */
    String range(Budget budget, Settings settings);

    /**
     * Runs the test with some settings.
     *
     * @throws IllegalArgumentException if one is not legal
     */
    Finding check(Budget budget, Settings settings, Computation computation);

    @Override
    default String range(Budget budget) {
        return range(budget, defaults());
    }

    @Override
    default Finding check(Budget budget, Computation computation) {
        return check(budget, defaults(), computation);
    }

    private Settings defaults() {
        return new Settings(settings(), Map.of());
    }
}
