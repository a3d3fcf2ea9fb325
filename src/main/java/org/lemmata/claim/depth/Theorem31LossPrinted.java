package org.lemmata.claim.depth;

import java.util.List;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Computation;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.Finding;
import org.lemmata.claim.Form;
import org.lemmata.claim.Statement;

/** Richard (2024), theorem 3.1, the loss bound as printed. */
public final class Theorem31LossPrinted implements ComputedClaim {

    @Override
    public Statement statement() {
        return new Statement(
                "depth.theorem-3.1.loss.printed",
                new Theorem31Loss().statement().source(),
                Form.PRINTED,
                "The cross-entropy loss of the head on its training sequence is below 2n²t exp(-v gamma / n + 2"
                        + " epsilon), with E as in depth.theorem-3.1.printed.");
    }

    @Override
    public String range(Budget budget) {
        return Theorem31.range(Theorem31.decidingSizes());
    }

    @Override
    public List<Budget> budgets() {
        return List.of(Budget.QUICK);
    }

    @Override
    public Finding check(Budget budget, Computation computation) {
        return Theorem31Loss.check(
                Theorem31.cases(Theorem31.decidingSizes()),
                computation::model,
                one -> 2 * one.size().length() * one.printedBound());
    }
}
