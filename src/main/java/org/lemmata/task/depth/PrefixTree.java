package org.lemmata.task.depth;

import java.util.List;

/** Sequences of '(' and ')' by their common beginnings: a node for each beginning, with how many end there. */
final class PrefixTree {

    /** Before the first bracket. */
    static final int ROOT = 1;

    /** No sequence begins so. */
    static final int NONE = 0;

    /** Two a node, by bracket. */
    private final int[] successors;

    private final int[] ends;

    PrefixTree(List<int[]> sequences) {
        int nodes = 2 + sequences.stream().mapToInt(ids -> ids.length).sum();
        successors = new int[2 * nodes];
        ends = new int[nodes];
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

    /** The node after one more bracket, or {@link #NONE}. */
    int next(int node, int id) {
        return successors[2 * node + id];
    }

    /** How many end at a node; then there are none left. */
    int takeEnds(int node) {
        int taken = ends[node];
        ends[node] = 0;
        return taken;
    }
}
