package org.lemmata.source;

/**
 * Where a statement, a task or a construction is taken from.
 *
 * @param paper the paper
 * @param result the place in it, as the paper names it: "theorem 4.1", "section 4.2", "Eq. 4"
 */
public record Source(Paper paper, String result) {

    /** The citation as it is printed: {@code Richard (2024), theorem 4.1}. */
    public String citation() {
        return paper.authors() + " (" + paper.year() + "), " + result;
    }
}
