package org.lemmata.model.parity;

import org.lemmata.index.ParityTree;

/**
 * The loss of a training step: 1 / (2n) times the sum of (x̂_m - x_m)² over n samples and the nodes m beyond the bits,
 * where x̂_m is the output and x_m the true value. Equation numbers are those of Kim and Suzuki (2024).
 *
 * @param teacherForcing whether each node reads the true values of earlier nodes; otherwise it reads the chain's own
 *     outputs
 * @param finalAnswerAlone whether only the last node counts, and all other nodes are generated without supervision
 * @param filtered for each level, 0 to the height, whether its output is set to 0
 */
@SuppressWarnings("ArrayRecordComponent") // The arrays are never changed or compared.
public record ChainLoss(boolean teacherForcing, boolean finalAnswerAlone, boolean[] filtered) {

    /** The loss of equation 2. */
    public static ChainLoss teacherForcing(ParityTree tree) {
        return new ChainLoss(true, false, new boolean[tree.height() + 1]);
    }

    /**
     * The loss of equation 4, through the generated chain.
     *
     * @param filtered as returned by {@link ParityTransformer#filtered}
     */
    public static ChainLoss generated(boolean[] filtered) {
        return new ChainLoss(false, false, filtered);
    }

    /** The loss without intermediate supervision: only the answer is known. */
    public static ChainLoss finalAnswer(ParityTree tree) {
        return new ChainLoss(false, true, new boolean[tree.height() + 1]);
    }
}
