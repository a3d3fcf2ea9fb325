package org.lemmata.figure.hierarchy;

import java.util.List;
import java.util.stream.Stream;
import org.lemmata.claim.FigureCells;
import org.lemmata.claim.FigureClaim;
import org.lemmata.claim.FigureGrid;
import org.lemmata.claim.FigureSentences;
import org.lemmata.claim.Judgement;
import org.lemmata.figure.TextModel;

/**
 * Hayakawa and Sato (2024), tables 2 and 6: perplexities on natural language by the place of norms, and beyond the
 * training length. The comments in the grids' files state what was decided before the first run.
 */
public final class TextTables {

    /** Our reading of "competitive", for which the paper gives no number; the paper's own ratios are at most 1.024. */
    private static final double COMPETITIVE = 1.05;

    private static final String OURS =
            " | the bytes of the State of the Union addresses (sotu-bytes), width 64, 2 layers,"
                    + " 1,600 steps of 4 windows of 64 bytes at a greater rate (2e-3)";

    private static final FigureSentences<FigureCells> TABLE_2 = new FigureSentences<>(
            "hierarchy.table-2",
            "table 2, figure 12, section 5.2 and appendix R",
            new FigureGrid("hierarchy.table-2", TextTables.class, "table-2.yaml"),
            """
                next-token models of text with normalized queries and keys, no biases, and norms after parts (Post-LN),
                before parts (Pre-LN), within the feed-forward part (FFN-LN) or nowhere (No-LN), 5 seeds
                | GPT-2's tokens of WikiText-103 and OpenWebText, width 768, 12 layers, 20,000 steps of 480 windows of 1,024
                tokens, one run each\
                """ + OURS,
            cells -> cells);

    private static final FigureSentences<FigureCells> TABLE_6 = new FigureSentences<>(
            "hierarchy.table-6",
            "table 6, figure 13 and appendix R.2",
            new FigureGrid("hierarchy.table-6", TextTables.class, "table-6.yaml"),
            """
                next-token models of text with norms within the feed-forward part, with a table of positions (PE) or none
                (NoPE), with and without a start token (BOS, NoBOS), tested on windows of 1.2 and 2 times the training
                length, 5 seeds
                | GPT-2's tokens of WikiText-103, width 768, 12 layers, 10,000 steps of 480 windows of 700 tokens, one run
                each\
                """ + OURS,
            cells -> cells);

    public static final List<FigureClaim> CLAIMS = List.of(
            TABLE_2.claim("none", """
                We observed that the performance of Pre-LN, Post-LN, and FFN-LN consistently outperformed No-LN
                | Put norms after each part of a layer (Post-LN), before each part (Pre-LN), or within the feed-forward
                part (FFN-LN). In each case, the test perplexity on text is significantly lower than without norms
                (No-LN).
                """, TextTables::beatNone),
            TABLE_2.claim("competitive", """
                We conclude that our modified architecture is competitive to Pre-LN and Post-LN
                | With norms within the feed-forward part (FFN-LN), the test perplexity on text is significantly below
                1.05 times (our threshold) the perplexity with norms after each part (Post-LN). It is also significantly
                below 1.05 times the perplexity with norms before each part (Pre-LN).
                """, TextTables::compete),
            TABLE_6.claim("positions", """
                The models without explicit positional encoding achieve much better test perplexity than those with
                explicit positional encoding
                | On windows of text of 1.2 times the training length, models without positions have a significantly
                lower test perplexity than models with positions. This holds both with a start token and without.
                """, (cells, judgement) -> withoutPositions(cells, judgement, 1)),
            TABLE_6.claim("twice", """
                (ours; the paper tests 1.2 times the training length)
                | Beyond the paper: on windows of text of twice the training length, models without positions have a
                significantly lower test perplexity than models with positions. This holds both with a start token and
                without.
                """, (cells, judgement) -> withoutPositions(cells, judgement, 2)));

    private TextTables() {}

    private static TextModel placed(FigureCells cells, String text, String name, String placement) {
        return TextModel.of(
                cells, name, text, run -> placement.equals(run.settings().get("model.normalization.placement")));
    }

    private static List<TextModel> withNorms(FigureCells cells, String text) {
        return List.of(
                placed(cells, text, "Post-LN", "post"),
                placed(cells, text, "Pre-LN", "pre"),
                placed(cells, text, "FFN-LN", "inner"));
    }

    private static void beatNone(FigureCells cells, Judgement judgement) {
        for (String text : TextModel.texts(cells)) {
            // Models without norms need not have learned: the sentence states that they are worse.
            TextModel none = placed(cells, text, "No-LN", "none");
            List<TextModel> all = withNorms(cells, text);
            all.forEach(model -> {
                model.learned(judgement);
                model.below(judgement, none, none.lengths().getFirst(), 1);
            });
            List<TextModel> shown = Stream.concat(all.stream(), Stream.of(none)).toList();
            shown.forEach(model -> model.measure(judgement));
            judgement.show(TextModel.picture(
                    "Perplexity by the place of norms, " + text,
                    "Means over seeds with 95% intervals. Compare with Hayakawa and Sato (2024), table 2, which shows"
                            + " larger models on other texts.",
                    shown));
        }
    }

    private static void compete(FigureCells cells, Judgement judgement) {
        for (String text : TextModel.texts(cells)) {
            List<TextModel> all = withNorms(cells, text);
            TextModel inner = all.getLast();
            inner.learned(judgement);
            all.subList(0, 2).forEach(other -> {
                other.learned(judgement);
                inner.below(judgement, other, inner.lengths().getFirst(), COMPETITIVE);
            });
        }
    }

    private static TextModel model(FigureCells cells, String text, boolean positions, boolean start) {
        return TextModel.of(
                cells,
                (positions ? "PE" : "NoPE") + (start ? "+BOS" : "+NoBOS"),
                text,
                run -> positions == "table".equals(run.settings().get("model.positions.kind"))
                        && start == "true".equals(run.settings().get("data.start")));
    }

    private static void withoutPositions(FigureCells cells, Judgement judgement, int place) {
        for (String text : TextModel.texts(cells)) {
            List<TextModel> shown = Stream.of(true, false)
                    .flatMap(start -> {
                        TextModel with = model(cells, text, true, start);
                        TextModel without = model(cells, text, false, start);
                        without.below(judgement, with, with.lengths().get(place), 1);
                        return Stream.of(with, without);
                    })
                    .toList();
            shown.forEach(model -> {
                model.learned(judgement);
                model.measure(judgement);
            });
            judgement.show(TextModel.picture(
                    "Perplexity beyond the training length, " + text,
                    "Means over seeds with 95% intervals; the shortest windows have the training length. Compare"
                            + " with Hayakawa and Sato (2024), table 6, which shows larger models on another text.",
                    shown));
        }
    }
}
