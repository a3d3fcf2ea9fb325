package org.lemmata.task.depth.logic;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.lemmata.argument.Refuse;

/** Which of the many expressions of a function is its simplified form. */
public enum AnswerForm {
    /**
     * The fewest leaves; then the fewest tokens; then the first in a stated order. Exact for functions that depend on
     * up to four variables; for others a short form that LogicNG finds.
     */
    SHORTEST("shortest"),
    /**
     * As SymPy's {@code simplify_logic}, which the paper uses, decides: a disjunction of conjunctions where at least
     * half of the assignments make it true, else a conjunction of disjunctions; with the fewest clauses, by LogicNG.
     */
    TWO_LEVEL("two-level");

    private final String label;

    AnswerForm(String label) {
        this.label = label;
    }

    /** The value of the setting. */
    public String label() {
        return label;
    }

    /**
     * The form of a label.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static AnswerForm of(String label) {
        return Arrays.stream(values())
                .filter(form -> form.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("form: expected "
                        + Arrays.stream(values()).map(AnswerForm::label).collect(Collectors.joining(" or ")) + ", got "
                        + Refuse.quoted(label)));
    }
}
