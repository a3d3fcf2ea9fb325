package org.lemmata.task.depth.logic;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * An expression in the form of answers: a constant, a literal, or an &amp; or | of at least two literals and operations
 * of the other kind.
 *
 * <p>Operands are in ascending order, with operations in parentheses: {@code p0&p3&~p2}, {@code p1|(p3&~p2)}. Forms are
 * ordered by the number of tokens. With equal numbers, leaves are ordered by variable, and operations lexicographically
 * by their operands. If the same operand is added to two operations of the same kind with equal numbers of tokens,
 * their order does not change. Minimal forms can therefore be computed from minimal parts.
 *
 * @param leaf 0 for false, 1 for true, then p_0, ~p_0, p_1, ~p_1, ...; 0 for operations
 * @param tokens the number of tokens
 * @param leaves the number of leaves
 */
record SimplifiedForm(Kind kind, int leaf, List<SimplifiedForm> operands, int tokens, int leaves)
        implements Comparable<SimplifiedForm> {

    enum Kind {
        LEAF,
        AND,
        OR
    }

    private static final int FIRST_LITERAL = 2;

    static SimplifiedForm constant(boolean value) {
        return new SimplifiedForm(Kind.LEAF, value ? 1 : 0, List.of(), 1, 1);
    }

    /** p_i, or ~p_i if {@code value} is false. */
    static SimplifiedForm literal(int variable, boolean value) {
        return new SimplifiedForm(
                Kind.LEAF, FIRST_LITERAL + 2 * variable + (value ? 0 : 1), List.of(), value ? 1 : 2, 1);
    }

    /**
     * An operation on forms that are not constants. Parts of the same kind are replaced by their operands.
     *
     * @param kind AND or OR
     * @param parts at least two forms
     */
    static SimplifiedForm operation(Kind kind, List<SimplifiedForm> parts) {
        List<SimplifiedForm> operands = new ArrayList<>();
        for (SimplifiedForm part : parts) {
            if (part.kind == kind) {
                operands.addAll(part.operands);
            } else {
                operands.add(part);
            }
        }
        operands.sort(null);
        int tokens = operands.size() - 1;
        int leaves = 0;
        for (SimplifiedForm operand : operands) {
            tokens += operand.tokensWithin(kind);
            leaves += operand.leaves;
        }
        return new SimplifiedForm(kind, 0, List.copyOf(operands), tokens, leaves);
    }

    /** The number of tokens that this form contributes as an operand of an operation. */
    int tokensWithin(Kind operation) {
        return tokens + (kind == Kind.LEAF || kind == operation ? 0 : 2);
    }

    /** The tokens, with p_i written as the variable {@code names[i]}. */
    int[] ids(BooleanLanguage language, int... names) {
        var ids = IntStream.builder();
        write(ids, language, names);
        return ids.build().toArray();
    }

    private void write(IntStream.Builder ids, BooleanLanguage language, int[] names) {
        if (kind == Kind.LEAF) {
            writeLeaf(ids, language, names);
            return;
        }
        for (int i = 0; i < operands.size(); i++) {
            SimplifiedForm operand = operands.get(i);
            if (i > 0) {
                ids.add(kind == Kind.AND ? language.and() : language.or());
            }
            if (operand.kind == Kind.LEAF) {
                operand.write(ids, language, names);
            } else {
                ids.add(language.open());
                operand.write(ids, language, names);
                ids.add(language.close());
            }
        }
    }

    private void writeLeaf(IntStream.Builder ids, BooleanLanguage language, int[] names) {
        if (leaf < FIRST_LITERAL) {
            ids.add(language.constant(leaf == 1));
            return;
        }
        if (leaf % 2 == 1) {
            ids.add(language.not());
        }
        ids.add(language.variable(names[(leaf - FIRST_LITERAL) / 2]));
    }

    @Override
    public int compareTo(SimplifiedForm other) {
        if (tokens != other.tokens) {
            return Integer.compare(tokens, other.tokens);
        }
        int common = Math.min(operands.size(), other.operands.size());
        for (int i = 0; i < common; i++) {
            int order = operands.get(i).compareTo(other.operands.get(i));
            if (order != 0) {
                return order;
            }
        }
        if (operands.size() != other.operands.size()) {
            return Integer.compare(operands.size(), other.operands.size());
        }
        return kind != other.kind ? kind.compareTo(other.kind) : Integer.compare(leaf, other.leaf);
    }
}
