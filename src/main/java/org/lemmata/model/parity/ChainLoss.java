package org.lemmata.model.parity;

import org.lemmata.index.ParityTree;

/**
 * What a training step minimizes: 1 / (2n) times the sum over nodes and samples of (x̂_m - x_m)².
 *
 * @param teacherForcing whether each node reads the true values of the nodes before it, or those of the chain
 * @param finalAnswerAlone whether the last node alone counts, all others being generated without supervision
 * @param filtered of each level, 0 to the height, whether its output is set to 0
 */
@SuppressWarnings("ArrayRecordComponent") // Made and read, never changed or compared.
public record ChainLoss(boolean teacherForcing, boolean finalAnswerAlone, boolean[] filtered) {

    /** Equation 2. */
    public static ChainLoss teacherForcing(ParityTree tree) {
        return new ChainLoss(true, false, new boolean[tree.height() + 1]);
    }

    /**
     * Equation 4.
     *
     * @param filtered as {@link ParityTransformer#filtered} says
     */
    public static ChainLoss generated(boolean[] filtered) {
        return new ChainLoss(false, false, filtered);
    }

    /** Without intermediate supervision: the answer is all that is known. */
    public static ChainLoss finalAnswer(ParityTree tree) {
        return new ChainLoss(false, true, new boolean[tree.height() + 1]);
    }
}
