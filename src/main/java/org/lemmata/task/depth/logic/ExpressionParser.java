package org.lemmata.task.depth.logic;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;

/**
 * Reads an expression token by token and evaluates it; ~ binds tighter than &amp;, which binds tighter than |.
 *
 * <p>Open parentheses lie on a stack of its own, so that no nesting is too deep.
 */
final class ExpressionParser {

    private static final String OPERAND = "a variable, true, false, ~ or (";

    /** What stands within one pair of parentheses: an or of ands, the last of which is being read. */
    private static final class Level {
        private @Nullable TruthTable or;
        private @Nullable TruthTable and;
        private boolean negated;

        void take(TruthTable operand) {
            TruthTable value = negated ? operand.not() : operand;
            and = and == null ? value : and.and(value);
            negated = false;
        }

        void finishAnd() {
            or = total();
            and = null;
        }

        @Nullable
        TruthTable total() {
            return or == null || and == null ? and : or.or(and);
        }
    }

    private final BooleanLanguage language;
    private final Deque<Level> enclosing = new ArrayDeque<>();
    private Level level = new Level();
    private boolean operandExpected = true;

    ExpressionParser(BooleanLanguage language) {
        this.language = language;
    }

    /**
     * Reads a token.
     *
     * @param position what a message calls its place
     * @throws IllegalArgumentException if no expression goes on so
     */
    void take(int id, int position) {
        if (operandExpected) {
            takeOperand(id, position);
        } else {
            takeOperator(id, position);
        }
    }

    private void takeOperand(int id, int position) {
        if (id == language.not()) {
            level.negated = !level.negated;
        } else if (id == language.open()) {
            enclosing.push(level);
            level = new Level();
        } else if (language.isLeaf(id)) {
            level.take(table(id));
            operandExpected = false;
        } else {
            throw refusal(position, OPERAND, got(id));
        }
    }

    private TruthTable table(int id) {
        int variables = language.variables();
        return id < variables
                ? TruthTable.variable(variables, id)
                : TruthTable.constant(variables, id == language.constant(true));
    }

    private void takeOperator(int id, int position) {
        if (id == language.and()) {
            operandExpected = true;
        } else if (id == language.or()) {
            level.finishAnd();
            operandExpected = true;
        } else if (id == language.close() && !enclosing.isEmpty()) {
            TruthTable inner = level.total();
            level = enclosing.pop();
            if (inner != null) {
                level.take(inner);
            }
        } else {
            throw refusal(position, operators(), got(id));
        }
    }

    private String operators() {
        return enclosing.isEmpty() ? "&, | or the end" : "&, | or )";
    }

    private String got(int id) {
        return id >= 0 && id < language.vocabulary().size()
                ? Refuse.quoted(language.vocabulary().symbol(id))
                : "the id " + id;
    }

    /**
     * The table of what was read.
     *
     * @param position what a message calls the place after the last token
     * @throws IllegalArgumentException if it is no whole expression
     */
    TruthTable value(int position) {
        TruthTable total = level.total();
        if (total == null || operandExpected || !enclosing.isEmpty()) {
            throw refusal(position, operandExpected ? OPERAND : operators(), "the end");
        }
        return total;
    }

    private static IllegalArgumentException refusal(int position, String expected, String got) {
        return new IllegalArgumentException("position " + position + ": expected " + expected + ", got " + got);
    }
}
