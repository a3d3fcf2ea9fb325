package org.lemmata.claim.depth;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.lemmata.claim.Finding;
import org.lemmata.claim.FixedClaim;
import org.lemmata.claim.Form;
import org.lemmata.claim.Sequences;
import org.lemmata.claim.Statement;
import org.lemmata.claim.Tally;
import org.lemmata.construct.depth.SequenceMemorizerByOneHotEmbedding;
import org.lemmata.construct.depth.SequenceMemorizerByProjection;
import org.lemmata.model.LanguageModel;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/** What Richard (2024), section 3, says around theorem 3.1 and gives no proof of. */
final class Section3Remarks {

    /**
     * With epsilon = 2 sqrt(2 ln n / d), 1 + 2 epsilon stands for exp(2 epsilon), which is greater: it claims more than
     * theorem 3.1 as printed, which is not so either.
     */
    static final FixedClaim SCALING = new FixedClaim(
            new Statement(
                    "depth.scaling.printed",
                    new Source(Paper.DEPTH, "section 3, Scaling"),
                    Form.PRINTED,
                    "With an embedding of theorem 3.1 in d columns, the head completes any prefix of its training"
                        + " sequence to the sequence with probability at least 1 - nt exp(-v gamma / n) (1 + 4 sqrt(2"
                        + " ln n / d))."),
            Theorem31.range(Theorem31.decidingSizes()),
            computation -> scaling(Theorem31.cases(Theorem31.decidingSizes()), computation::model));

    /** "We prove that a global optimizer of L with a single term s belongs to this subset". */
    static final FixedClaim OPTIMUM = new FixedClaim(
            new Statement(
                    "depth.optimum.printed",
                    new Source(Paper.DEPTH, "section 3.2"),
                    Form.PRINTED,
                    "Of the heads with V = v I, some v is a global optimizer of the loss of one training sequence."),
            "every sequence with t = 2, n = 5 and with t = 3, n = 3, one-hot tokens, gamma = -1/2; v from lemma 5.1's"
                    + " for failures of 1/2 and 1/1000, and twice as great",
            computation -> optimum(List.of(0.5, 1e-3), computation::model));

    private static final double GAMMA = -0.5;

    private Section3Remarks() {}

    static Finding scaling(List<Theorem31.Case> cases, Function<SequenceMemorizerByProjection, LanguageModel> models) {
        var tally = new Tally();
        for (Theorem31.Case one : cases) {
            int n = one.size().length();
            double factor = 1 + 4 * Math.sqrt(2 * Math.log(n) / one.size().width());
            double bound = (double) n * one.size().tokens() * Math.exp(-one.exponent()) * factor;
            double failure = Memorization.of(
                            models.apply(one.construction()), one.construction().word())
                    .failure();
            tally.require(
                    failure <= bound, () -> one.text() + ": fails with probability " + failure + " against " + bound);
            tally.atMost("probability of another sequence, " + one.text(), failure, "probability", n - 1L, bound);
        }
        return tally.finding("every probability of failure is within the printed bound", Theorem31.SEED);
    }

    static Finding optimum(List<Double> failures, Function<SequenceMemorizerByOneHotEmbedding, LanguageModel> models) {
        var tally = new Tally();
        for (int[] size : new int[][] {{2, 5}, {3, 3}}) {
            var vocabulary = Memorization.vocabulary(size[0]);
            for (double failure : failures) {
                double maximum = 0;
                List<int[]> words = Sequences.every(size[0], size[1]);
                for (int[] word : words) {
                    double v = SequenceMemorizerByOneHotEmbedding.valueWeight(vocabulary, word, GAMMA, failure);
                    double[] losses = new double[2];
                    for (int i = 0; i < 2; i++) {
                        var head = new SequenceMemorizerByOneHotEmbedding(vocabulary, word, GAMMA, (i + 1) * v);
                        losses[i] = Memorization.of(models.apply(head), word).loss();
                    }
                    maximum = Math.max(maximum, losses[1] / losses[0]);
                    tally.require(
                            losses[1] >= losses[0],
                            () -> Memorization.text(word)
                                    + String.format(
                                            Locale.ROOT,
                                            ": a loss of %.3g with v = %.0f, of %.3g with twice that, and so on",
                                            losses[0],
                                            v,
                                            losses[1]));
                }
                tally.atLeast(
                        "maximum loss with 2v over that with v, t = " + size[0] + ", n = " + size[1]
                                + ", v for a bound of " + failure,
                        maximum,
                        "",
                        words.size(),
                        1);
            }
        }
        return tally.finding("no v has a lower loss than half of it");
    }
}
