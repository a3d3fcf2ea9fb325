package org.lemmata.claim;

import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/**
 * A claim's sentence, with its id and source.
 *
 * @param id the unique id, such as {@code depth.theorem-4.1.loss}
 * @param source the source of the sentence
 * @param form the tested wording
 * @param text the statement; its lines are joined by spaces
 */
public record Statement(String id, Source source, Form form, String text) {

    public Statement {
        text = joined(text);
    }

    /** A statement of one of Lemmata's papers, whose key begins the id. */
    public Statement(String id, String place, Form form, String text) {
        this(id, new Source(Paper.of(id), place), form, text);
    }

    static String joined(String text) {
        return text.strip().replaceAll("\\s*\n\\s*", " ");
    }
}
