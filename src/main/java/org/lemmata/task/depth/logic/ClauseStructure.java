package org.lemmata.task.depth.logic;

/**
 * Checks whether algorithm 1 can draw an expression: k clauses, each a leaf or a fully parenthesized join that
 * random_clause(q) can draw.
 *
 * <p>A leaf is random_clause(0) or random_clause(-1). random_clause(q) with q &gt;= 1 can draw a join if each operand
 * can be drawn with q - 1 or q - 2. The check reads from left to right with one level of recursion per parenthesis, and
 * rejects nesting deeper than q.
 */
final class ClauseStructure {

    /** The set {-1, 0} of leaves. A set of numbers q has the bit q + 1 for each of them. */
    private static final long OF_LEAVES = 0b11;

    private final BooleanLanguage language;
    private final boolean constants;
    private final int[] ids;
    private int next;

    private ClauseStructure(BooleanLanguage language, boolean constants, int[] ids) {
        this.language = language;
        this.constants = constants;
        this.ids = ids;
    }

    /** Whether the tokens are k results of random_clause(q), joined by &amp; or |. */
    static boolean reaches(BooleanLanguage language, boolean constants, int k, int q, int[] ids) {
        var structure = new ClauseStructure(language, constants, ids);
        for (int clause = 0; clause < k; clause++) {
            if (clause > 0 && !structure.takesOperator()) {
                return false;
            }
            if ((structure.operand(q) >> (q + 1) & 1) == 0) {
                return false;
            }
        }
        return structure.next == ids.length;
    }

    /** The set of all q with which the operand at {@link #next} can be drawn; empty if it is none. */
    private long operand(int levels) {
        if (!takes(language.open())) {
            return leaf();
        }
        if (levels == 0) {
            return 0;
        }
        long left = operand(levels - 1);
        if (!takesOperator()) {
            return 0;
        }
        long right = operand(levels - 1);
        return takes(language.close()) ? (left << 1 | left << 2) & (right << 1 | right << 2) & ~OF_LEAVES : 0;
    }

    private long leaf() {
        boolean negated = takes(language.not());
        if (next == ids.length || !language.isLeaf(ids[next])) {
            return 0;
        }
        boolean constant = ids[next] >= language.variables();
        next++;
        return constant && (negated || !constants) ? 0 : OF_LEAVES;
    }

    private boolean takesOperator() {
        return takes(language.and()) || takes(language.or());
    }

    private boolean takes(int id) {
        boolean there = next < ids.length && ids[next] == id;
        next += there ? 1 : 0;
        return there;
    }
}
