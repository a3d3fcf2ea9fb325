package org.lemmata.claim;

import java.util.List;
import org.lemmata.setting.Setting;

/**
 * A test of what a proof builds, where the theorem says only that something exists. If it fails, that is a gap in the
 * proof and no counterexample: {@link NotTested#PROOF}.
 *
 * @param construction the test of the proof's words
 * @param theorem what the gap leaves of the theorem, in words
 */
public record ProofGap(AdjustableClaim construction, String theorem) implements AdjustableClaim {

    @Override
    public Statement statement() {
        return construction.statement();
    }

    @Override
    public List<Setting> settings() {
        return construction.settings();
    }

    @Override
    public List<Budget> budgets() {
        return construction.budgets();
    }

    @Override
    public String range(Scope scope) {
        return construction.range(scope);
    }

    @Override
    public Finding check(Scope scope, Computation computation) {
        Finding found = construction.check(scope, computation);
        String reason = found.verdict().reason();
        String failure = reason.substring(reason.indexOf(": ") + 2);
        return found.verdict().outcome() == Outcome.REFUTED
                ? found.as(NotTested.PROOF.because(theorem + "; as the proof has it, " + failure))
                : found;
    }
}
