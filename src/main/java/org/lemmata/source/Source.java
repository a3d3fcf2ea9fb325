package org.lemmata.source;

/**
 * The source of a statement, a task or a construction.
 *
 * @param result the place in the paper, such as "theorem 4.1", "section 4.2" or "Eq. 4"
 */
public record Source(Paper paper, String result) {

    /** The citation: {@code Richard (2024), theorem 4.1}. */
    public String citation() {
        return paper.authors() + " (" + paper.year() + "), " + result;
    }
}
