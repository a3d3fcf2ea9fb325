package org.lemmata.claim.symbol.figure;

import java.util.List;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.symbol.figure.TemplateRuns.Answer;

/**
 * Boix-Adsera et al. (2024), figures 1 and 2: programs of two variables, of which one is printed; the label is +1 or
 * -1, or the symbol that it holds. Each curve is at the rate that is best by validation. The paper does not say at
 * which rate a and b are trained: at the model's, and at one of their own.
 */
final class BindingFigures {

    private static final FigureSentences<TemplateRuns> FIGURE_1 = SymbolFigures.sentences(
            1,
            1,
            "appendix A",
            Answer.LABEL,
            "a=1;b=-1;print(a) against print(b)",
            SymbolFigures.TRANSFORMER + "4 rates, n = 16 to 8,192",
            SymbolFigures.FEWER_CELLS + "the rate 1e-3, n = 64, 256 and 512");

    private static final FigureSentences<TemplateRuns> FIGURE_2 = SymbolFigures.sentences(
            2,
            2,
            "appendix A",
            Answer.VALUE,
            "a=\"x\";b=\"y\";print(a) against print(b)",
            "four layers of 16 heads of 64 columns, width 512, 1,000 epochs in batches of 1,024, 5 seeds; 4 rates, n ="
                    + " 16 to 8,192",
            "width 64 with 4 heads; the rate 1e-3, n = 64 and 512");

    /** Every sentence. */
    static final List<FigureClaim> CLAIMS = List.of(
            FIGURE_1.claim(
                    "samples",
                    "as the training set size increases, the LLM's ability to reason outside of its training data"
                            + " improves",
                    "A doubling of n multiplies the test loss of the plain transformer by significantly less than 1.",
                    (runs, judgement) -> {
                        TemplateRuns plain = TemplateModel.TRANSFORMER.of(runs);
                        TemplateAxis.SAMPLES.learned(plain, "", judgement);
                        TemplateAxis.SAMPLES.ask(plain, "", TemplateAxis::isBelowOne, judgement);
                        judgement.show(TemplateAxis.SAMPLES.picture(
                                "Programs with real labels", "figure 1", TemplateModel.lines(runs)));
                    }),
            FIGURE_1.claim(
                    "identities",
                    "a slightly modified transformer architecture ..., which solves the reasoning task with less"
                            + " training data",
                    "At the largest n the test loss with a I and b I is significantly lower than without; a and b"
                            + " trained at the model's rate.",
                    (runs, judgement) -> ArchitectureFigures.better(runs, TemplateModel.WITH_BOTH, judgement)),
            FIGURE_1.claim(
                    "identities.own-rate",
                    "solves the reasoning task with less training data",
                    "The same with a rate of their own for a and b, 0.1.",
                    (runs, judgement) ->
                            ArchitectureFigures.better(runs, TemplateModel.WITH_BOTH.atOwnRate(), judgement)),
            FIGURE_1.claim(
                    "data",
                    "empirically lowers the quantity of data needed (section 1.1.2)",
                    "At some n the test loss with a I and b I, at a rate of their own, is below 0.1 where that of the"
                            + " plain transformer is above 0.5 (ours)." + ArchitectureFigures.WHEN_REFUTED,
                    (runs, judgement) ->
                            ArchitectureFigures.data(runs, TemplateModel.WITH_BOTH.atOwnRate(), judgement)),
            FIGURE_2.claim(
                    "identities",
                    "Our modified transformer learns the reasoning task with less data",
                    "At the largest n the test loss with a I and b I is significantly lower than without; a and b"
                            + " trained at the model's rate.",
                    (runs, judgement) -> {
                        ArchitectureFigures.better(runs, TemplateModel.WITH_BOTH, judgement);
                        judgement.show(TemplateAxis.SAMPLES.picture(
                                "Programs with symbolic labels", "figure 2", TemplateModel.lines(runs)));
                    }),
            FIGURE_2.claim(
                    "identities.own-rate",
                    "Our modified transformer learns the reasoning task with less data",
                    "The same with a rate of their own for a and b, 0.1.",
                    (runs, judgement) ->
                            ArchitectureFigures.better(runs, TemplateModel.WITH_BOTH.atOwnRate(), judgement)));

    private BindingFigures() {}
}
