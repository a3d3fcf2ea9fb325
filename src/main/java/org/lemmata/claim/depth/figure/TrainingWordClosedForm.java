package org.lemmata.claim.depth.figure;

import java.util.List;
import org.lemmata.claim.Computation;
import org.lemmata.claim.depth.Theorem41;
import org.lemmata.construct.depth.DyckCompleterByPositionSums;
import org.lemmata.measure.MatrixSpectrum;
import org.lemmata.measure.PositionSums;
import org.lemmata.model.Decoding;
import org.lemmata.model.Generation;
import org.lemmata.model.Parameters;
import org.lemmata.number.FloatFormat;
import org.lemmata.number.Rounding;
import org.lemmata.task.depth.DyckWords;
import org.lemmata.track.CellRecord;

/**
 * What stands beside a trained run in a picture: theorem 4.1's closed form, gamma = -1/2, of the first word that the
 * run was trained on, measured as the run was.
 */
record TrainingWordClosedForm(DyckCompleterByPositionSums construction) {

    static TrainingWordClosedForm of(CellRecord run) {
        return new TrainingWordClosedForm(
                Theorem41.construction(DyckWords.ids(TwoModels.trainingWord(run)), Theorem41.ATTRACTIVE));
    }

    /** The word to which it completes a context greedily. */
    String completion(String context, Computation computation) {
        return DyckWords.text(Generation.complete(
                        computation.model(construction),
                        List.of(DyckWords.ids(context)),
                        construction.word().length,
                        new Decoding.Greedy())
                .getFirst()
                .tokens());
    }

    /** Of its value matrix, which is the one number v: it has no projection. */
    MatrixSpectrum spectrum() {
        return MatrixSpectrum.ofValueAndOutput(weights(), 0);
    }

    /** B_1 + ... + B_t for t = 1, 2, ... of its one column of positions. */
    double[] positionSums() {
        return new PositionSums(weights()).curves().getFirst();
    }

    /** Halves and integers, which binary32 holds. */
    private Parameters weights() {
        return construction.build().narrow(Rounding.toNearestEven(FloatFormat.BINARY32));
    }
}
