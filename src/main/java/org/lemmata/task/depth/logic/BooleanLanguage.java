package org.lemmata.task.depth.logic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lemmata.argument.Refuse;
import org.lemmata.token.Vocabulary;

/**
 * Boolean expressions of n variables as tokens: p0, p1, ..., {@code <start> <end> & | ~ = false true ( )}.
 *
 * <p>The precedence of ~ is highest, then &amp;, then |; any expression may be in parentheses. Ids are numbered in the
 * order above. Source: Richard (2024), section 2.1, with ~ for ¬. Positions in messages count tokens from 1.
 *
 * @param variables n, 1 to 8
 * @param vocabulary the tokens
 */
public record BooleanLanguage(int variables, Vocabulary vocabulary) {

    public BooleanLanguage(int variables) {
        this(variables, symbols(variables));
    }

    private static Vocabulary symbols(int variables) {
        TruthTable.requireVariables(variables);
        List<String> symbols = new ArrayList<>();
        IntStream.range(0, variables).forEach(i -> symbols.add("p" + i));
        symbols.addAll(List.of("<start>", "<end>", "&", "|", "~", "=", "false", "true", "(", ")"));
        return new Vocabulary(symbols);
    }

    /** The id of p_i. */
    public int variable(int i) {
        return i;
    }

    public int start() {
        return variables;
    }

    public int end() {
        return variables + 1;
    }

    /** The id of &amp;. */
    public int and() {
        return variables + 2;
    }

    /** The id of |. */
    public int or() {
        return variables + 3;
    }

    /** The id of ~. */
    public int not() {
        return variables + 4;
    }

    /** The id of =. */
    public int equalSign() {
        return variables + 5;
    }

    /** The id of {@code false} or {@code true}. */
    public int constant(boolean value) {
        return variables + (value ? 7 : 6);
    }

    /** The id of (. */
    public int open() {
        return variables + 8;
    }

    /** The id of ). */
    public int close() {
        return variables + 9;
    }

    /** Whether a token is a leaf: a variable or a constant. A negation before it is a separate token. */
    public boolean isLeaf(int id) {
        return id >= 0 && (id < variables || id == constant(false) || id == constant(true));
    }

    /**
     * The truth table of an expression.
     *
     * @throws IllegalArgumentException if the ids are not an expression; the message names the token
     */
    public TruthTable evaluate(int... ids) {
        return parsed(ids).value(ids.length + 1);
    }

    private ExpressionParser parsed(int... ids) {
        var parser = new ExpressionParser(this);
        for (int i = 0; i < ids.length; i++) {
            parser.take(ids[i], i + 1);
        }
        return parser;
    }

    /** The text of ids, without blanks. */
    public String text(int... ids) {
        var text = new StringBuilder();
        for (int id : ids) {
            text.append(vocabulary.symbol(id));
        }
        return text.toString();
    }

    /**
     * Whether any expression begins with these ids.
     *
     * @throws IllegalArgumentException if an id is not in the vocabulary
     */
    public boolean isBeginning(int... ids) {
        requireIds(ids);
        try {
            parsed(ids);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    void requireIds(int... ids) {
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] < 0 || ids[i] >= vocabulary.size()) {
                throw new IllegalArgumentException("position " + (i + 1) + ": expected an id from 0 to "
                        + (vocabulary.size() - 1) + ", got " + ids[i]);
            }
        }
    }

    /** The number of occurrences of variables and constants. */
    public int leaves(int... ids) {
        return (int) IntStream.of(ids).filter(this::isLeaf).count();
    }

    /** The maximum number of parentheses around a token. */
    public int nesting(int... ids) {
        int open = 0;
        int maximum = 0;
        for (int id : ids) {
            open += id == open() ? 1 : id == close() ? -1 : 0;
            maximum = Math.max(maximum, open);
        }
        return maximum;
    }

    /**
     * Reads an expression token by token and evaluates it.
     *
     * <p>Open parentheses are on an explicit stack, so the nesting depth is not limited by the call stack.
     */
    private static final class ExpressionParser {

        private static final String OPERAND = "a variable, true, false, ~ or (";

        /**
         * The whole expression, or the content of one pair of parentheses: a disjunction of conjunctions. The last
         * conjunction is still being read.
         */
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
         * @param position the position for messages
         * @throws IllegalArgumentException if this token cannot continue an expression
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
         * The truth table of the expression.
         *
         * @param position the position after the last token, for messages
         * @throws IllegalArgumentException if the expression is incomplete
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
}
