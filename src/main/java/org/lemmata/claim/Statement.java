package org.lemmata.claim;

import org.lemmata.source.Paper;
import org.lemmata.source.Source;

/**
 * What is claimed.
 *
 * @param id in the ledger: {@code depth.theorem-4.1.loss}
 * @param source where it is found
 * @param form which wording is tested
 * @param text the statement, in a sentence or two; lines are joined by a blank
 */
public record Statement(String id, Source source, Form form, String text) {

    public Statement {
        text = joined(text);
    }

    /** Of one of Lemmata's papers, at a place of it; its key begins the id. */
    public Statement(String id, String place, Form form, String text) {
        this(id, new Source(Paper.of(id), place), form, text);
    }

    /** A text block as one line. */
    static String joined(String text) {
        return text.strip().replaceAll("\\s*\n\\s*", " ");
    }
}
