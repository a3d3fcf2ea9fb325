package org.lemmata.claim.symbol.figure;

import java.util.List;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.SeedMean;
import org.lemmata.claim.SeedRate;
import org.lemmata.claim.symbol.figure.TemplateRuns.Answer;

/**
 * Boix-Adsera et al. (2024), figure 3: copying of a symbol, by the attention layer of equation 9 with tied embeddings,
 * as it is and with b I, by embedding dimension. That those with b I learn is the positive control of those that do
 * not.
 */
final class CopyingFigure {

    private static final TemplateAxis WIDTH = new TemplateAxis("model.width", "width", true);

    private static final TemplateModel WITH = TemplateModel.WITH_BOTH.atOwnRate();

    /** "Success" is no number in the paper; nine tenths of the answers are ours. */
    private static final double SUCCESS = 0.9;

    private static final FigureSentences<TemplateRuns> FIGURE = SymbolFigures.sentences(
            3,
            3,
            "appendix A",
            Answer.COPY,
            "copying of one symbol",
            "section 5's attention layer with 16 heads of 64 columns, widths 16 to 512, n = 512, 1,000 epochs of one"
                    + " batch, 4 rates, 5 seeds",
            SymbolFigures.FEWER_CELLS + "the rate 1e-3, widths 16, 64 and 256");

    /** Every sentence. */
    static final List<FigureClaim> CLAIMS = List.of(
            FIGURE.claim(
                    "width",
                    "Inverse scaling law: Transformers fail on copy task as embedding dimension grows",
                    "A doubling of the width multiplies the plain transformer's test loss by significantly more than"
                            + " 1, at the epoch that is best by validation, while those with b I, at a rate of its own,"
                            + " learn.",
                    (runs, judgement) -> {
                        WIDTH.learned(WITH.of(runs), ", with b I", judgement);
                        WIDTH.ask(TemplateModel.TRANSFORMER.of(runs), "", TemplateAxis::isAboveOne, judgement);
                        judgement.show(WIDTH.picture("Copying by width", "figure 3", TemplateModel.lines(runs)));
                    }),
            FIGURE.claim(
                    "width.last",
                    "Inverse scaling law: Transformers fail on copy task as embedding dimension grows",
                    "After the last epoch the plain transformer's test loss at the largest width is significantly"
                            + " above that at the least.",
                    (runs, judgement) -> {
                        WIDTH.learned(WITH.of(runs), ", with b I", judgement);
                        TemplateRuns plain = TemplateModel.TRANSFORMER.of(runs);
                        double least = plain.by(WIDTH).firstKey();
                        double largest = plain.by(WIDTH).lastKey();
                        SeedMean narrow = plain.with(WIDTH, least).atBestRate().lastLoss();
                        SeedMean wide = plain.with(WIDTH, largest).atBestRate().lastLoss();
                        judgement.measure(narrow.measured("last test loss, " + WIDTH.at(least), "nats"));
                        judgement.measure(wide.measured("last test loss, " + WIDTH.at(largest), "nats"));
                        judgement.below("last test loss, " + WIDTH.at(least), narrow, WIDTH.at(largest), wide);
                    }),
            FIGURE.claim(
                    "identity",
                    "Success when reparametrizing",
                    "At the largest width, with b I at a rate of its own at least 0.9 (ours) of the answers are"
                            + " right.",
                    (runs, judgement) -> {
                        WIDTH.learned(WITH.of(runs), ", with b I", judgement);
                        double largest = runs.by(WIDTH).lastKey();
                        for (TemplateModel model : List.of(TemplateModel.TRANSFORMER, TemplateModel.WITH_BOTH)) {
                            judgement.measure(
                                    "right, " + model,
                                    model.of(runs)
                                            .with(WIDTH, largest)
                                            .atBestRate()
                                            .accuracy());
                        }
                        SeedRate right =
                                WITH.of(runs).with(WIDTH, largest).atBestRate().accuracy();
                        judgement.measure("right, " + WITH, right);
                        judgement.atLeast("right, " + WITH + ", " + WIDTH.at(largest), right, SUCCESS);
                    }),
            FIGURE.claim(
                    "identity.model-rate",
                    "Success when reparametrizing",
                    "At the largest width, with b I at the model's rate the test loss is significantly lower than"
                            + " without.",
                    (runs, judgement) -> {
                        double largest = runs.by(WIDTH).lastKey();
                        ArchitectureFigures.better(runs.with(WIDTH, largest), TemplateModel.WITH_BOTH, judgement);
                    }));

    private CopyingFigure() {}
}
