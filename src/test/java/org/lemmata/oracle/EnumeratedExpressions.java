package org.lemmata.oracle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Expressions of &amp;, | and literals of three variables as texts, found by brute force. A function is an int of 8
 * bits; bit a is its value at p_i = (a &gt;&gt; i) &amp; 1.
 */
public final class EnumeratedExpressions {

    public static final int FUNCTIONS = 256;

    private static final int[] VARIABLES = {0xAA, 0xCC, 0xF0};

    private EnumeratedExpressions() {}

    /**
     * For each of the 256 functions, whether a binary tree with &amp; and | at its nodes and {@code leaves} literals as
     * leaves computes it. All trees are enumerated.
     */
    public static boolean[] reachedByTrees(int leaves) {
        boolean[] reached = new boolean[FUNCTIONS];
        for (int function : trees(leaves)) {
            reached[function] = true;
        }
        return reached;
    }

    /** The function of every tree; functions of several trees are repeated. */
    private static int[] trees(int leaves) {
        if (leaves == 1) {
            return Arrays.stream(VARIABLES)
                    .flatMap(table -> Arrays.stream(new int[] {table, 0xFF ^ table}))
                    .toArray();
        }
        List<int[]> parts = new ArrayList<>();
        for (int left = 1; left < leaves; left++) {
            int[] lefts = trees(left);
            int[] rights = trees(leaves - left);
            int[] joins = new int[2 * lefts.length * rights.length];
            int next = 0;
            for (int f : lefts) {
                for (int g : rights) {
                    joins[next++] = f & g;
                    joins[next++] = f | g;
                }
            }
            parts.add(joins);
        }
        int[] all = new int[parts.stream().mapToInt(part -> part.length).sum()];
        int next = 0;
        for (int[] part : parts) {
            System.arraycopy(part, 0, all, next, part.length);
            next += part.length;
        }
        return all;
    }

    /**
     * An expression.
     *
     * @param operator '&amp;' or '|', or ' ' for a leaf
     * @param operands the operands of an operation, ascending in {@link #ORDER}
     * @param text the text of a leaf; empty for an operation
     */
    private record Expression(char operator, List<Expression> operands, String text) {

        int leaves() {
            return operator == ' '
                    ? 1
                    : operands.stream().mapToInt(Expression::leaves).sum();
        }

        String write() {
            if (operator == ' ') {
                return text;
            }
            List<String> parts = operands.stream()
                    .map(operand -> operand.operator == ' ' ? operand.text : "(" + operand.write() + ")")
                    .toList();
            return String.join(Character.toString(operator), parts);
        }

        /** The number of tokens; p0 and true are one token each. */
        int tokens() {
            return write().replaceAll("p[0-9]|true|false", "p").length();
        }
    }

    /**
     * Fewer tokens first; then, for leaves, by the text, for operations, operand by operand; {@code &} before
     * {@code |}.
     */
    private static final Comparator<Expression> ORDER = new Comparator<>() {
        @Override
        public int compare(Expression a, Expression b) {
            int order = Integer.compare(a.tokens(), b.tokens());
            for (int i = 0; order == 0 && i < Math.min(a.operands.size(), b.operands.size()); i++) {
                order = compare(a.operands.get(i), b.operands.get(i));
            }
            order = order != 0 ? order : Integer.compare(a.operands.size(), b.operands.size());
            order = order != 0 ? order : Character.compare(a.operator, b.operator);
            return order != 0 ? order : a.text.compareTo(b.text);
        }
    };

    /**
     * The shortest expression of each function: fewest leaves, then fewest tokens, then the first in {@link #ORDER}.
     * Starts with the leaves, and joins all pairs of known expressions with both operators until none becomes shorter.
     */
    public static String[] shortest() {
        Comparator<Expression> shorter =
                Comparator.comparingInt(Expression::leaves).thenComparing(ORDER);
        // The best expression of each function, by its outermost operator: leaf, &, |.
        Expression[][] best = new Expression[3][FUNCTIONS];
        best[0][0] = new Expression(' ', List.of(), "false");
        best[0][0xFF] = new Expression(' ', List.of(), "true");
        for (int i = 0; i < VARIABLES.length; i++) {
            best[0][VARIABLES[i]] = new Expression(' ', List.of(), "p" + i);
            best[0][0xFF ^ VARIABLES[i]] = new Expression(' ', List.of(), "~p" + i);
        }
        boolean better = true;
        while (better) {
            better = false;
            for (int f = 1; f < FUNCTIONS - 1; f++) {
                for (int g = 1; g < FUNCTIONS - 1; g++) {
                    for (int outside = 1; outside <= 2; outside++) {
                        int function = outside == 1 ? f & g : f | g;
                        if (function > 0 && function < FUNCTIONS - 1) {
                            better |= improve(best, f, g, function, outside, shorter);
                        }
                    }
                }
            }
        }
        String[] texts = new String[FUNCTIONS];
        for (int function = 0; function < FUNCTIONS; function++) {
            int f = function;
            texts[function] = Arrays.stream(best)
                    .map(kind -> kind[f])
                    .filter(expression -> expression != null)
                    .min(shorter)
                    .orElseThrow()
                    .write();
        }
        return texts;
    }

    private static boolean improve(
            Expression[][] best, int f, int g, int function, int outside, Comparator<Expression> shorter) {
        boolean better = false;
        for (Expression[] lefts : best) {
            for (Expression[] rights : best) {
                Expression left = lefts[f];
                Expression right = rights[g];
                Expression old = best[outside][function];
                if (left == null || right == null || (old != null && left.leaves() + right.leaves() > old.leaves())) {
                    continue;
                }
                Expression join = join(outside == 1 ? '&' : '|', left, right);
                if (old == null || shorter.compare(join, old) < 0) {
                    best[outside][function] = join;
                    better = true;
                }
            }
        }
        return better;
    }

    private static Expression join(char operator, Expression left, Expression right) {
        List<Expression> operands = new ArrayList<>();
        for (Expression part : List.of(left, right)) {
            operands.addAll(part.operator == operator ? part.operands : List.of(part));
        }
        operands.sort(ORDER);
        return new Expression(operator, List.copyOf(operands), "");
    }
}
