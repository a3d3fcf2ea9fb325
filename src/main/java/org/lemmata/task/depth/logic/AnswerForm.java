package org.lemmata.task.depth.logic;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;

/** The definition of the simplified form of a function. */
public enum AnswerForm {
    /**
     * The form with the fewest leaves; ties are broken by the fewest tokens, then by a fixed order. This form is exact
     * for functions that depend on up to four variables; for others, LogicNG finds a short form.
     */
    SHORTEST,
    /**
     * The form of SymPy's {@code simplify_logic}, which the paper uses: a disjunction of conjunctions if at least half
     * of the assignments make the function true, otherwise a conjunction of disjunctions. LogicNG finds a form with the
     * fewest clauses.
     */
    TWO_LEVEL;

    /** The value of the setting. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The form with this label.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static AnswerForm of(String label) {
        return Arrays.stream(values())
                .filter(form -> form.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("form: expected "
                        + Arrays.stream(values()).map(AnswerForm::label).collect(Collectors.joining(" or ")) + ", got "
                        + Refuse.quoted(label)));
    }
}
