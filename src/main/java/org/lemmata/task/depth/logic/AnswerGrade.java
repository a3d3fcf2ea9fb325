package org.lemmata.task.depth.logic;

/** What an answer is worth. Source: Richard (2024), section 2.2, evaluation data and metrics. */
public enum AnswerGrade {
    /** The simplified form, token by token. */
    SIMPLIFIED,
    /** Another expression of the same function with the same variables, shorter than the question's. */
    EQUAL,
    /** The same function, shorter, but with variables that the simplified form does not have, or without some. */
    OTHER_VARIABLES,
    /** The same function with as many tokens as the question's expression, or more. */
    TOO_LONG,
    /** An expression of another function. */
    UNEQUAL,
    /** No expression. */
    MALFORMED;

    /** Whether it is an expression of the same function, decided by truth tables. */
    public boolean isEqual() {
        return this == SIMPLIFIED || this == EQUAL || this == OTHER_VARIABLES || this == TOO_LONG;
    }

    /**
     * Whether the paper counts it: shorter than the question's expression, and {@code equals} of SymPy, which asks for
     * the same variables besides the same function.
     */
    public boolean isCounted() {
        return this == SIMPLIFIED || this == EQUAL;
    }
}
