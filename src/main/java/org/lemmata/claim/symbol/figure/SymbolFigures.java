package org.lemmata.claim.symbol.figure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.lemmata.claim.Budget;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Finding;
import org.lemmata.claim.NotTested;
import org.lemmata.claim.Outcome;
import org.lemmata.claim.Sizes;
import org.lemmata.claim.Verdict;
import org.lemmata.claim.symbol.figure.TemplateRuns.Answer;
import org.lemmata.measure.HeadDiagonals;
import org.lemmata.model.Parameters;
import org.lemmata.model.file.Gpt2Weights;
import org.lemmata.setting.Setting;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;
import org.lemmata.statistic.Measurement;

/** The figures of Boix-Adsera et al. (2024). */
public final class SymbolFigures {

    /** Appendices A and B.1. */
    static final String TRANSFORMER =
            "two layers of 16 heads of 64 columns, width 128, 1,000 epochs in batches of at most 1,024, 5 seeds; ";

    private static final String AUTHORS_MODEL = "cells of the authors' model: ";

    /** Until cells of the authors' model are recorded; it has no [CLS] and begins with other weights. */
    private static final String EARLIER_MODEL = "our earlier model: ";

    /** Every sentence on trained models. */
    public static final List<FigureClaim> CLAIMS = Stream.of(
                    ArchitectureFigures.BINDING,
                    ArchitectureFigures.COPYING,
                    HyperparameterFigures.CLAIMS,
                    HyperparameterFigures.DIFFICULTY,
                    ArchitectureFigures.CLAIMS)
            .flatMap(List::stream)
            .toList();

    private SymbolFigures() {}

    /** Of a task with labels, trained as in appendices A and B. */
    static FigureSentences<TemplateRuns> labels(
            int figure, int grid, String section, String task, String paper, String medium, String standard) {
        return sentences(figure, grid, section, Answer.LABEL, task, TRANSFORMER + paper, medium, standard);
    }

    /**
     * What the sentences on a figure have in common.
     *
     * @param figure its number
     * @param grid the figure whose grid has its cells
     * @param section that tells its settings
     * @param task in words
     * @param paper the paper's size
     * @param medium which cells of the authors' model
     * @param standard which cells of our earlier one
     */
    static FigureSentences<TemplateRuns> sentences(
            int figure,
            int grid,
            String section,
            Answer answer,
            String task,
            String paper,
            String medium,
            String standard) {
        return new FigureSentences<>(
                "symbol.figure-" + figure,
                new Source(Paper.SYMBOL, "figure " + figure + " and " + section),
                new FigureGrid("symbol.figure-" + grid, SymbolFigures.class, "figure-" + grid + ".yaml").withMedium(),
                new Sizes(
                        task + ", tested on symbols never seen",
                        paper,
                        AUTHORS_MODEL + medium,
                        EARLIER_MODEL + standard),
                cells -> TemplateRuns.of(cells, answer));
    }

    /**
     * "several" and "stronger from other weights" are no numbers in the paper: 3 heads of each product, and 1, are
     * ours.
     */
    private static final int SEVERAL = 3;

    private static final double STRONG = 1;

    private static final String FILE = "file";

    private static final String FINE_TUNING = "fine-tuning: its prompts take GPT-2's tokens, which no task here has";

    /**
     * Boix-Adsera et al. (2024), figures 5 and 20: pretrained GPT-2, whose weights a user has to give. What is computed
     * from them are the diagonals of W_K W_Q^T and W_V W_O of each head; prompts of fine-tuning take GPT-2's tokens,
     * which no task here has, so that nothing is said of it.
     */
    static final ComputedClaim FIGURE_5 = claim("symbol.figure-5", "figure 5, section 6", """
        Several heads of pretrained GPT-2 have diagonals of W_K W_Q^T, and of W_V W_O, that are stronger than other
        weights: in absolute value, the mean of the diagonal is above the root mean square of the other entries, of
        at least 3 heads each (ours).
        """, true);

    static final ComputedClaim FIGURE_20 = claim("symbol.figure-20", "figure 20, appendix B.3", """
        Small, medium and large pretrained GPT-2, fine-tuned on aba against abb, generalize to unseen symbols.
        """, false);

    /** Those that take a pretrained model. */
    public static final List<Claim> WITHOUT_RUNS = List.of(FIGURE_5, FIGURE_20);

    /** @param decides whether the diagonals are what the statement is of */
    private static ComputedClaim claim(String id, String place, String text, boolean decides) {
        return ComputedClaim.asStated(id, new Source(Paper.SYMBOL, place), text)
                .settings(Setting.table("""
                    file | | weights of GPT-2 in safetensors, under the names of Hugging Face's transformers; none by
                      default
                    """))
                .budgets(Budget.QUICK)
                .range(scope -> scope.settings()
                        .text(FILE)
                        .map(file -> "the diagonals of every head of " + file)
                        .orElse("nothing yet: no file of weights was given"))
                .test((scope, computation) -> scope.settings()
                        .text(FILE)
                        .map(file -> read(file, decides))
                        .orElseGet(() -> new Finding(
                                NotTested.RUN.because(
                                        "bin/lemmata verify " + id + " -p file=model.safetensors reads the weights of"
                                                + " huggingface.co/openai-community/gpt2"
                                                + (decides ? "" : " or its larger ones")
                                                + "; not tested with them: " + FINE_TUNING),
                                List.of(),
                                List.of())));
    }

    private static Finding read(String file, boolean decides) {
        try {
            return of(Gpt2Weights.read(Path.of(file)), decides);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the weights of a model say. */
    static Finding of(Parameters parameters, boolean decides) {
        double[] keyQuery = strengths(parameters, HeadDiagonals::keyQuery);
        double[] valueOutput = strengths(parameters, HeadDiagonals::valueOutput);
        int heads = keyQuery.length;
        long ofKeys = strong(keyQuery);
        long ofValues = strong(valueOutput);
        List<Measurement> measured = List.of(
                Measurement.exact("heads with a strong diagonal of W_K W_Q^T", (double) ofKeys, "heads", heads),
                Measurement.exact("strongest diagonal of W_K W_Q^T", keyQuery[heads - 1], "", heads),
                Measurement.exact("heads with a strong diagonal of W_V W_O", (double) ofValues, "heads", heads),
                Measurement.exact("strongest diagonal of W_V W_O", valueOutput[heads - 1], "", heads));
        String reason = "strong diagonals of W_K W_Q^T: " + ofKeys + ", and of W_V W_O: " + ofValues + ", of " + heads
                + " heads; not tested: " + FINE_TUNING;
        Outcome outcome = Math.min(ofKeys, ofValues) >= SEVERAL ? Outcome.SUPPORTED : Outcome.REFUTED;
        return new Finding(decides ? new Verdict(outcome, reason) : NotTested.RUN.because(reason), measured, List.of());
    }

    /** Without their signs, ascending. */
    private static double[] strengths(Parameters parameters, ToDoubleFunction<HeadDiagonals> product) {
        return HeadDiagonals.of(parameters).stream()
                .mapToDouble(product)
                .map(Math::abs)
                .sorted()
                .toArray();
    }

    private static long strong(double[] strengths) {
        return Arrays.stream(strengths).filter(strength -> strength > STRONG).count();
    }
}
