package org.lemmata.figure.depth;

import java.util.List;
import java.util.SortedMap;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement.Side;
import org.lemmata.claim.TrivialAnswer;
import org.lemmata.statistic.Interval;
import org.lemmata.statistic.Measurement;
import org.lemmata.track.CellRecord;

/**
 * Richard (2024), section 4.2, about the training loss on one word. Training is without dropout, so the loss is that of
 * the function that generates completions.
 */
final class SingleSequenceLoss {

    /** The distance between 1 and the next smaller number in single precision. */
    private static final double ZERO = 0x1p-24;

    private static final FigureSentences<SortedMap<Integer, List<CellRecord>>> SENTENCES = new FigureSentences<>(
            "depth",
            "section 4.2",
            new FigureGrid("depth.single-sequence-loss", SingleSequenceLoss.class, "single-sequence-loss.yaml"),
            """
            one word of D_32 of depth up to 8, without dropout; L = h = 4, 5 seeds
            | d = 128, 512, 1024, 10,000 steps
            | d = 16, 64, 2,000 steps at a greater rate (1e-3)
            """,
            cells -> cells.by(record -> record.integer("model.width")));

    static final FigureClaim CLAIM = SENTENCES.claim("single-sequence-loss", """
        For all trained models with large enough embedding dimension, the training loss value of a Transformer model
        trained on a single sequence reaches machine precision's zero
        | For models trained on one word: at the largest embedding dimension, the training loss per bracket is below
        2^-24 in every seed. The number 2^-24 is the distance between 1 and the next smaller number in single precision.
        """, (byWidth, judgement) -> {
        byWidth.forEach(
                (width, runs) -> judgement.measureMean("training loss, d = " + width, runs, SingleSequenceLoss::loss));
        double[] last = byWidth.lastEntry().getValue().stream()
                .mapToDouble(SingleSequenceLoss::loss)
                .toArray();
        judgement.learned(
                Measurement.middle(
                        "training loss, d = " + byWidth.lastKey(), "nats", Interval.mean(last), last.length, null),
                Side.BELOW,
                List.of(new TrivialAnswer("a coin", Math.log(2))));
        judgement.each(
                "below 2^-24 with d = " + byWidth.lastKey(),
                byWidth.lastEntry().getValue().stream()
                        .map(run -> loss(run) < ZERO)
                        .toList());
    });

    private static double loss(CellRecord run) {
        return FigureCells.value(run, "trainLoss", Double.NaN);
    }
}
