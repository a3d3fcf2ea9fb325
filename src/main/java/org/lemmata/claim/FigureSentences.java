package org.lemmata.claim;

import java.util.function.BiConsumer;
import java.util.function.Function;
import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/**
 * What the sentences of a paper on one figure have in common; each becomes a claim with a judge of its own, so that one
 * that fails does not drown the others.
 *
 * @param id what the ids of the sentences begin with: {@code depth.figure-1}
 * @param source where the sentences are found
 * @param form which wording is tested
 * @param grid the cells
 * @param sizes of the cells
 * @param read what the judges look at, made of complete cells
 */
public record FigureSentences<T>(
        String id, Source source, Form form, FigureGrid grid, Sizes sizes, Function<FigureCells, T> read) {

    /** Of the paper's wording. */
    public FigureSentences(String id, Source source, FigureGrid grid, Sizes sizes, Function<FigureCells, T> read) {
        this(id, source, Form.AS_STATED, grid, sizes, read);
    }

    /** Of one of Lemmata's papers, at a place of it; its key begins the id. */
    public FigureSentences(String id, String place, FigureGrid grid, String sizes, Function<FigureCells, T> read) {
        this(id, new Source(Paper.of(id), place), grid, new Sizes(sizes), read);
    }

    /** The same in another place of the paper. */
    public FigureSentences<T> at(String result) {
        return new FigureSentences<>(id, new Source(source.paper(), result), form, grid, sizes, read);
    }

    /**
     * One sentence.
     *
     * @param part what its id ends with
     * @param paper the paper's words
     * @param text the sentence that is tested
     * @param judge adds the sentence's inequalities, and the figures on their sides
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
     * The same with both sentences in one text.
     *
     * @param sentences the paper's words and, after a bar, the sentence that is tested
     */
    public FigureClaim claim(String part, String sentences, BiConsumer<T, Judgement> judge) {
        String[] both = Statement.joined(sentences).split(" [|] ", 2);
        return claim(part, both[0], both[1], judge);
    }
}
