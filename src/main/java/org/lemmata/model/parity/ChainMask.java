package org.lemmata.model.parity;

import org.lemmata.index.ParityTree;

/** The nodes that a node of the chain attends to. Source: Kim and Suzuki (2024), figure 3. */
public enum ChainMask {
    /** All earlier nodes: j &lt; m. */
    TOKEN_BY_TOKEN,
    /** All nodes j of lower levels: up to the last node of the level below m. */
    LEVEL_BY_LEVEL;

    /** The number of nodes that {@code node} attends to: nodes 1 to this number. */
    public int visible(ParityTree tree, int node) {
        return this == TOKEN_BY_TOKEN ? node - 1 : tree.end(tree.level(node) - 1);
    }
}
