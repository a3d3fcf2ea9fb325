package org.lemmata.figure.symbol;

import java.util.List;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.figure.TextModel;

/**
 * Boix-Adsera et al. (2024), figure 4: perplexities on natural language with and without a I and b I. The comments in
 * the grid's file list the decisions made before the first run.
 */
public final class TextFigure {

    private static final FigureSentences<FigureCells> SENTENCES = new FigureSentences<>(
            "symbol.figure-4",
            "figure 4, section 6",
            new FigureGrid("symbol.figure-4", TextFigure.class, "figure-4.yaml"),
            """
            GPT-2 on text with and without trained factors of the identity, a I in W_K W_Q^T and b I in W_V W_O of each
            head, 5 seeds
            | GPT-2's tokens of Wikitext-2 and Wikitext-103, width 768, 12 layers, 20 epochs at the rate 3e-4, one run
            each
            | the bytes of the State of the Union addresses (sotu-bytes), width 64, 2 layers, 1,600 steps of 4 windows
            of 64 bytes at a greater rate (2e-3)
            """,
            cells -> cells);

    public static final FigureClaim CLAIM = SENTENCES.claim("identities", """
        Figure 4 shows they can also give improvements on real data
        | Train GPT-2 on text from random initial weights. If a I is added to W_K W_Q^T and b I to W_V W_O in every
        head, with trainable a and b, its test perplexity is significantly lower than without these terms.
        """, (cells, judgement) -> {
        for (String text : TextModel.texts(cells)) {
            TextModel with = model(cells, text, true);
            TextModel without = model(cells, text, false);
            with.below(judgement, without, with.lengths().getFirst(), 1);
            List<TextModel> both = List.of(with, without);
            both.forEach(model -> {
                model.learned(judgement);
                model.measure(judgement);
            });
            judgement.show(TextModel.picture(
                    "Perplexity with and without identities, " + text,
                    "Means over seeds with 95% intervals. Compare with Boix-Adsera et al. (2024), figure 4, which shows"
                            + " larger models on other texts.",
                    both));
        }
    });

    private TextFigure() {}

    private static TextModel model(FigureCells cells, String text, boolean identities) {
        return TextModel.of(
                cells,
                identities ? "with a I and b I" : "without identities",
                text,
                run -> identities == "true".equals(run.settings().get("model.attention.identities")));
    }
}
