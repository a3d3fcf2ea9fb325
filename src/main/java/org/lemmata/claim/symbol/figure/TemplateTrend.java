package org.lemmata.claim.symbol.figure;

import java.util.Locale;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.claim.SeedMean;

/**
 * A sentence on how the test loss goes along an axis, at one number of samples.
 *
 * @param figure its number
 * @param task in words
 * @param axis what is varied
 * @param samples n
 */
record TemplateTrend(int figure, String task, TemplateAxis axis, int samples) {

    /** What is asked of the factor by which a step multiplies the loss. */
    interface Check {
        void of(SeedMean factor, String text, Judgement judgement);
    }

    /**
     * A sentence; the models that are best by validation have to be better than what takes no learning.
     *
     * @param paper the paper's words
     * @param factor what the factor is, in words
     */
    FigureClaim claim(FigureSentences<TemplateRuns> sentences, String paper, String factor, Check check) {
        return sentences.claim(
                axis.part(),
                paper,
                String.format(
                        Locale.ROOT,
                        "At n = %,d, each at the rate that is best by validation, %s multiplies the test loss by %s.",
                        samples,
                        axis.step(),
                        factor),
                (all, judgement) -> {
                    TemplateRuns runs = all.with(TemplateAxis.SAMPLES, samples);
                    String where = ", n = " + samples;
                    axis.learned(runs, where, judgement);
                    axis.ask(runs, where, check, judgement);
                    judgement.show(axis.picture(
                            task + " by " + axis.name() + where, "figure " + figure, runs.lines(TemplateAxis.RATE)));
                });
    }

    /** The loss falls. */
    FigureClaim falls(FigureSentences<TemplateRuns> sentences, String paper) {
        return claim(sentences, paper, "significantly less than 1", TemplateAxis::isBelowOne);
    }

    /** The loss rises. */
    FigureClaim rises(FigureSentences<TemplateRuns> sentences, String paper) {
        return claim(sentences, paper, "significantly more than 1", TemplateAxis::isAboveOne);
    }
}
