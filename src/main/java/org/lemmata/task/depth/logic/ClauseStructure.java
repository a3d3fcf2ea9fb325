package org.lemmata.task.depth.logic;

/**
 * Checks whether algorithm 1 can draw an expression: k clauses, each a leaf or a fully parenthesized join that
 * random_clause(q) can draw.
 *
 * <p>A leaf is random_clause(0) or random_clause(-1). random_clause(q) with q &gt;= 1 can draw a join if each operand
 * can be drawn with q - 1 or q - 2. If the operands can be drawn with q in [a, b] and [c, d], the join can be drawn
 * with q in [max(a, c) + 1, min(b, d) + 2]. The check reads from left to right with one level of recursion per
 * parenthesis, and rejects nesting deeper than q.
 */
final class ClauseStructure {

    /** The range of q with which an operand can be drawn; it may be empty. */
    private record Reached(int minimum, int maximum) {

        static final Reached NONE = new Reached(0, -1);

        boolean isEmpty() {
            return minimum > maximum;
        }

        boolean contains(int q) {
            return minimum <= q && q <= maximum;
        }
    }

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
            if (!structure.operand(q).contains(q)) {
                return false;
            }
        }
        return structure.next == ids.length;
    }

    private Reached operand(int levels) {
        if (!takes(language.open())) {
            return leaf();
        }
        if (levels == 0) {
            return Reached.NONE;
        }
        Reached left = operand(levels - 1);
        if (!takesOperator()) {
            return Reached.NONE;
        }
        Reached right = operand(levels - 1);
        if (!takes(language.close())) {
            return Reached.NONE;
        }
        if (left.isEmpty() || right.isEmpty()) {
            return Reached.NONE;
        }
        int minimum = Math.max(Math.max(left.minimum, right.minimum) + 1, 1);
        return new Reached(minimum, Math.min(left.maximum, right.maximum) + 2);
    }

    private Reached leaf() {
        boolean negated = takes(language.not());
        if (next == ids.length || !language.isLeaf(ids[next])) {
            return Reached.NONE;
        }
        boolean constant = ids[next] >= language.variables();
        next++;
        return constant && (negated || !constants) ? Reached.NONE : new Reached(-1, 0);
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
