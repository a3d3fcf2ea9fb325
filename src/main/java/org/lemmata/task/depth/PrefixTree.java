package org.lemmata.task.depth;

import java.util.List;

/** Sequences of '(' and ')' by their common beginnings: a node for each beginning, with how many end there. */
public final class PrefixTree {

    /** Before the first bracket. */
    private static final int ROOT = 1;

    /** No sequence begins so. */
    private static final int NONE = 0;

    /** Two a node, by bracket. */
    private final int[] successors;

    private final int[] ends;

    private int size;

    /** The tree of sequences of ids of {@link DyckWords}, equal ones among them or not. */
    public PrefixTree(List<int[]> sequences) {
        int nodes = 2 + sequences.stream().mapToInt(ids -> ids.length).sum();
        successors = new int[2 * nodes];
        ends = new int[nodes];
        size = sequences.size();
        int last = ROOT;
        for (int[] ids : sequences) {
            int node = ROOT;
            for (int id : ids) {
                if (next(node, id) == NONE) {
                    successors[2 * node + id] = ++last;
                }
                node = next(node, id);
            }
            ends[node]++;
        }
    }

    /** Takes out the sequences that begin a word, or are it. */
    public void remove(int... word) {
        int node = ROOT;
        for (int i = 0; i < word.length && node != NONE; i++) {
            node = next(node, word[i]);
            size -= ends[node];
            ends[node] = 0;
        }
    }

    /** How many sequences are in. */
    public int size() {
        return size;
    }

    /** The node after one more bracket, or {@link #NONE}. */
    private int next(int node, int id) {
        return successors[2 * node + id];
    }
}
