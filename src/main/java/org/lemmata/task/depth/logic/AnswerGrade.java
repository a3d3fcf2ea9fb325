package org.lemmata.task.depth.logic;

/** The grade of an answer. Source: Richard (2024), section 2.2, evaluation data and metrics. */
public enum AnswerGrade {
    /** The simplified form, token by token. */
    SIMPLIFIED,
    /**
     * Another expression of the same function, with the variables of the simplified form, and shorter than the
     * question's expression.
     */
    EQUAL,
    /**
     * The same function, in an expression shorter than the question's, but with other variables than the simplified
     * form.
     */
    OTHER_VARIABLES,
    /** The same function with at least as many tokens as the question's expression. */
    TOO_LONG,
    /** An expression of another function. */
    UNEQUAL,
    MALFORMED;

    /** Whether the answer is an expression of the same function, according to truth tables. */
    public boolean isEqual() {
        return this == SIMPLIFIED || this == EQUAL || this == OTHER_VARIABLES || this == TOO_LONG;
    }

    /**
     * Whether the paper counts the answer as correct: it is the simplified form, or it is shorter than the question's
     * expression and equals the simplified form according to SymPy's {@code equals}, which compares functions and
     * variables.
     */
    public boolean isCounted() {
        return this == SIMPLIFIED || this == EQUAL;
    }
}
