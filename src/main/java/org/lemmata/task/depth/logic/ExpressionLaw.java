package org.lemmata.task.depth.logic;

import java.util.random.RandomGenerator;
import org.lemmata.argument.Refuse;

/**
 * The distribution of expressions that algorithm 1 draws.
 *
 * @param variables n, 1 to 8
 * @param constants whether {@code false} and {@code true} are among the leaves
 * @param clauses k, 1 to 64
 * @param depth q, the maximum depth of a clause, 0 to 16
 */
public record ExpressionLaw(int variables, boolean constants, int clauses, int depth) {

    public static final int MAX_CLAUSES = 64;

    public static final int MAX_DEPTH = ClauseLaw.MAX_DEPTH;

    public ExpressionLaw {
        TruthTable.requireVariables(variables);
        Refuse.outside("k", clauses, 1, MAX_CLAUSES);
        Refuse.outside("q", depth, 0, MAX_DEPTH);
    }

    public ExpressionLaw withDepth(int other) {
        return new ExpressionLaw(variables, constants, clauses, other);
    }

    /** The number of tokens of the longest expression; each of its clauses has 2^q negated variables. */
    int maxTokens() {
        int leaves = 1 << depth;
        return clauses * (2 * leaves + 3 * (leaves - 1)) + clauses - 1;
    }

    ExpressionSampler sampler(LeafAlphabet leaves, RandomGenerator random) {
        return new ExpressionSampler(leaves, clauses, depth, random);
    }
}
