package org.lemmata.claim;

import java.util.function.BiConsumer;
import java.util.function.Function;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/**
 * The properties that all of a paper's sentences about one figure share. Each sentence becomes a claim with its own
 * judge, and its own verdict.
 *
 * @param id the beginning of the sentences' ids, such as {@code depth.figure-1}
 * @param source the source of the sentences
 * @param form the tested wording
 * @param grid the grid of cells
 * @param sizes the sizes of the cells
 * @param read converts complete cells to the values that the judges compare
 */
public record FigureSentences<T>(
        String id, Source source, Form form, FigureGrid grid, Sizes sizes, Function<FigureCells, T> read) {

    /** Sentences in the paper's wording. */
    public FigureSentences(String id, Source source, FigureGrid grid, Sizes sizes, Function<FigureCells, T> read) {
        this(id, source, Form.AS_STATED, grid, sizes, read);
    }

    /** Sentences of one of Lemmata's papers, whose key begins the id. */
    public FigureSentences(String id, String place, FigureGrid grid, String sizes, Function<FigureCells, T> read) {
        this(id, new Source(Paper.of(id), place), grid, new Sizes(sizes), read);
    }

    /** These properties, for another place in the paper. */
    public FigureSentences<T> at(String result) {
        return new FigureSentences<>(id, new Source(source.paper(), result), form, grid, sizes, read);
    }

    /**
     * A claim about one sentence.
     *
     * @param part the end of the claim's id
     * @param paper the quotation from the paper
     * @param text the tested sentence
     * @param judge adds the sentence's inequalities and measurements
     */
    public FigureClaim claim(String part, String paper, String text, BiConsumer<T, Judgement> judge) {
        return new FigureClaim(
                new Statement(id + "." + part, source, form, text),
                paper,
                grid,
                sizes,
                (cells, judgement) -> judge.accept(read.apply(cells), judgement));
    }

    /**
     * A claim about one sentence, with the quotation and the tested sentence in one text.
     *
     * @param sentences the quotation from the paper and, after a bar, the tested sentence
     */
    public FigureClaim claim(String part, String sentences, BiConsumer<T, Judgement> judge) {
        String[] both = Statement.joined(sentences).split(" [|] ", 2);
        return claim(part, both[0], both[1], judge);
    }
}
