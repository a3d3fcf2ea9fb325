package org.lemmata.claim.symbol.figure;

import java.util.List;
import java.util.stream.Stream;
import org.lemmata.claim.Claim;
import org.lemmata.claim.ComputedClaim;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.NotTested;
import org.lemmata.claim.Sizes;
import org.lemmata.claim.symbol.figure.TemplateRuns.Answer;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/** The figures of Boix-Adsera et al. (2024). */
public final class SymbolFigures {

    /** Appendices A and B.1. */
    static final String TRANSFORMER =
            "two layers of 16 heads of 64 columns, width 128, 1,000 epochs in batches of at most 1,024, 5 seeds; ";

    static final String FEWER_CELLS = "fewer cells of the paper's size: ";

    /** Every sentence on trained models. */
    public static final List<FigureClaim> CLAIMS = Stream.of(
                    BindingFigures.CLAIMS,
                    CopyingFigure.CLAIMS,
                    HyperparameterFigures.CLAIMS,
                    DifficultyFigures.CLAIMS,
                    ArchitectureFigures.CLAIMS)
            .flatMap(List::stream)
            .toList();

    /** Those that take a pretrained model, or text. */
    public static final List<Claim> WITHOUT_RUNS = List.of(
            ComputedClaim.asStated("symbol.figure-4", new Source(Paper.SYMBOL, "figure 4, section 6"), """
                GPT-2 with a I and b I has a lower perplexity on Wikitext than without: 60.46 for 64.00, and 16.40 for
                16.83.
                """)
                    .untested(NotTested.RUN.because(
                            "no command trains a model of 117 million parameters for 20 epochs on Wikitext-2 and"
                                    + " Wikitext-103: Lemmata has no task of text")),
            PretrainedHeads.FIGURE_5,
            PretrainedHeads.FIGURE_20);

    private SymbolFigures() {}

    /**
     * What the sentences on a figure have in common.
     *
     * @param figure its number
     * @param grid the figure whose grid has its cells
     * @param section that tells its settings
     * @param task in words
     * @param paper the paper's size
     * @param reduced what is smaller
     */
    static FigureSentences<TemplateRuns> sentences(
            int figure, int grid, String section, Answer answer, String task, String paper, String reduced) {
        return new FigureSentences<>(
                "symbol.figure-" + figure,
                new Source(Paper.SYMBOL, "figure " + figure + " and " + section),
                new FigureGrid("symbol.figure-" + grid, SymbolFigures.class, "figure-" + grid + ".yaml"),
                new Sizes(task + ", tested on symbols never seen", paper, reduced),
                cells -> TemplateRuns.of(cells, answer));
    }
}
