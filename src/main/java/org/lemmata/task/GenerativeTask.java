package org.lemmata.task;

/** A task of sequences that are drawn token by token, with known probabilities. */
public interface GenerativeTask extends Task {

    /** How many tokens a sequence begins with that are not drawn: 1 where there is a start. */
    int given();

    /**
     * p(token | tokens before it): row i has a column for each symbol of the vocabulary, of the token after position i.
     *
     * @param sequence with the tokens that are given, as it was drawn
     * @return as many rows as the sequence has tokens after the first one
     */
    double[] law(int... sequence);

    /** The tokens of which the ones of probability 0 are mistakes: the closing brackets. */
    int[] closing();
}
