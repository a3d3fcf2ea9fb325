package org.lemmata.task.depth.logic;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Draws expressions by algorithm 1, and writes tokens and truth table at the same time: random_clause(q) = (left op
 * right) with left and right each random_clause(q - 1) or random_clause(q - 2).
 *
 * <p>Only the chosen clause is drawn. The paper's choice([...]) evaluates both clauses, which takes about 2.73^q calls
 * for the same distribution. An expression consists of k clauses joined by &amp; or |, without outer parentheses. Not
 * thread-safe.
 */
final class ExpressionSampler {

    private final BooleanLanguage language;
    private final LeafAlphabet leaves;
    private final int clauses;
    private final int depth;
    private final RandomGenerator random;

    private int[] ids = new int[256];
    private int length;
    private final long[] tables;

    private int top;
    private long coins;
    private int coinsLeft;

    ExpressionSampler(LeafAlphabet leaves, int clauses, int depth, RandomGenerator random) {
        this.language = leaves.language();
        this.leaves = leaves;
        this.clauses = clauses;
        this.depth = depth;
        this.random = random;
        // A clause of depth q needs up to q + 1 operands on the stack. Two more are for the disjunction and conjunction
        // of clauses.
        this.tables = new long[(depth + 3) * leaves.words()];
    }

    /** Draws an expression. {@link #ids} and {@link #tableInto} then read it. */
    void draw() {
        length = 0;
        top = 0;
        coinsLeft = 0;
        boolean waitingOr = false;
        clause(depth);
        for (int i = 1; i < clauses; i++) {
            boolean and = coin();
            append(and ? language.and() : language.or());
            if (!and) {
                // The conjunction before this | is complete.
                if (waitingOr) {
                    combine(false);
                }
                waitingOr = true;
                clause(depth);
            } else {
                clause(depth);
                combine(true);
            }
        }
        if (waitingOr) {
            combine(false);
        }
        assert top == 1;
    }

    private void clause(int q) {
        if (q <= 0) {
            leaf();
            return;
        }
        append(language.open());
        clause(coin() ? q - 1 : q - 2);
        boolean and = coin();
        append(and ? language.and() : language.or());
        clause(coin() ? q - 1 : q - 2);
        append(language.close());
        combine(and);
    }

    private void leaf() {
        int leaf = random.nextInt(leaves.size());
        for (int id : leaves.ids(leaf)) {
            append(id);
        }
        leaves.copyTable(leaf, tables, top * leaves.words());
        top++;
    }

    private void combine(boolean and) {
        top--;
        int words = leaves.words();
        for (int word = 0; word < words; word++) {
            int left = (top - 1) * words + word;
            long right = tables[top * words + word];
            tables[left] = and ? tables[left] & right : tables[left] | right;
        }
    }

    /** One random bit; each 64-bit random number gives 64 of them, and each expression starts with a new number. */
    private boolean coin() {
        if (coinsLeft == 0) {
            coins = random.nextLong();
            coinsLeft = Long.SIZE;
        }
        boolean coin = (coins & 1) == 1;
        coins >>>= 1;
        coinsLeft--;
        return coin;
    }

    private void append(int id) {
        if (length == ids.length) {
            ids = Arrays.copyOf(ids, 2 * length);
        }
        ids[length++] = id;
    }

    /** A copy of the tokens of the latest expression. */
    int[] ids() {
        return Arrays.copyOf(ids, length);
    }

    void tableInto(long[] table) {
        System.arraycopy(tables, 0, table, 0, leaves.words());
    }
}
