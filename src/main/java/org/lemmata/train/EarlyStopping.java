package org.lemmata.train;

import org.lemmata.argument.Refuse;

/**
 * When a run ends before its last step.
 *
 * @param targetLoss the run ends with the first step whose training loss is below it; 0 for never
 * @param patience the run ends with this many evaluations in a row whose validation loss is no new minimum; 0 for never
 */
public record EarlyStopping(double targetLoss, int patience) {

    /** All steps are taken. */
    public static final EarlyStopping NEVER = new EarlyStopping(0, 0);

    public EarlyStopping {
        Refuse.when(!(targetLoss >= 0), "targetLoss", "at least 0", targetLoss);
        Refuse.below("patience", patience, 0);
    }
}
