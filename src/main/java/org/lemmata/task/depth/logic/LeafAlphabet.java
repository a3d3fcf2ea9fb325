package org.lemmata.task.depth.logic;

/**
 * The leaves from which algorithm 1 chooses uniformly: false and true if constants are allowed, then p_0, ~p_0, p_1,
 * ~p_1, ...
 */
final class LeafAlphabet {

    private final BooleanLanguage language;
    private final int words;
    private final int[][] ids;
    private final long[] tables;

    LeafAlphabet(BooleanLanguage language, boolean constants) {
        int variables = language.variables();
        int first = constants ? 2 : 0;
        this.language = language;
        this.words = TruthTable.wordCount(variables);
        this.ids = new int[first + 2 * variables][];
        this.tables = new long[ids.length * words];
        for (int value = 0; value < first; value++) {
            set(value, TruthTable.constant(variables, value == 1), language.constant(value == 1));
        }
        for (int i = 0; i < variables; i++) {
            TruthTable table = TruthTable.variable(variables, i);
            set(first + 2 * i, table, language.variable(i));
            set(first + 2 * i + 1, table.not(), language.not(), language.variable(i));
        }
    }

    private void set(int leaf, TruthTable table, int... tokens) {
        ids[leaf] = tokens;
        System.arraycopy(table.words(), 0, tables, leaf * words, words);
    }

    BooleanLanguage language() {
        return language;
    }

    int size() {
        return ids.length;
    }

    int words() {
        return words;
    }

    /** The tokens of a leaf, not a copy. */
    int[] ids(int leaf) {
        return ids[leaf];
    }

    void copyTable(int leaf, long[] target, int at) {
        for (int word = 0; word < words; word++) {
            target[at + word] = tables[leaf * words + word];
        }
    }
}
