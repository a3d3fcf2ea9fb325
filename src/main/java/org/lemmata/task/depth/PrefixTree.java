package org.lemmata.task.depth;

import java.util.List;

/** A prefix tree of sequences of '(' and ')'; each node has the number of sequences that end at it. */
public final class PrefixTree {

    private static final int ROOT = 1;

    private static final int NONE = 0;

    private final int[] successors;

    private final int[] ends;

    private int size;

    /** The tree of sequences of ids of {@link DyckWords}; a sequence may occur several times. */
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

    /** Removes the nonempty prefixes of {@code word}, including the word itself. */
    public void remove(int... word) {
        int node = ROOT;
        for (int i = 0; i < word.length && node != NONE; i++) {
            node = next(node, word[i]);
            size -= ends[node];
            ends[node] = 0;
        }
    }

    public int size() {
        return size;
    }

    private int next(int node, int id) {
        return successors[2 * node + id];
    }
}
