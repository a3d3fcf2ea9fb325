package org.lemmata.index;

import it.unimi.dsi.fastutil.ints.Int2IntOpenHashMap;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.Arrays;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.lemmata.argument.Refuse;

/**
 * The complete binary tree of the parities of a subset of k = 2^v out of d bits: x_m = x_{c1[m]} x_{c2[m]}.
 *
 * <p>Nodes are numbered from 1, as in the paper: nodes 1 to d are the bits. Nodes d + 1 to d + k - 1 are the parities,
 * level by level from the lowest, left to right. The bits of the subset are paired in the given order; c1[m] &lt;
 * c2[m].
 *
 * <p>Source: Kim and Suzuki (2024), section 2.1.
 */
public final class ParityTree {

    public static final int MAX_BITS = 4096;

    private final int bits;
    private final int[] subset;
    private final IntArrayList ends;
    private final int[] first;
    private final int[] second;
    private final Int2IntOpenHashMap parents;

    /**
     * Creates the tree of a subset.
     *
     * @param bits d, from 2 to {@value #MAX_BITS}
     * @param subset distinct positions of bits, counted from 1; their number is 2, 4, 8, ...
     * @throws IllegalArgumentException if the arguments are not as described
     */
    public ParityTree(int bits, int... subset) {
        Refuse.outside("bits", bits, 2, MAX_BITS);
        int k = subset.length;
        Refuse.when(k < 2 || Integer.bitCount(k) != 1, "subset", "a power of two of positions, at least 2", k);
        Refuse.when(k > bits, "subset", "at most " + bits + " positions", k);
        var seen = new IntOpenHashSet(k);
        for (int position : subset) {
            Refuse.when(position < 1 || position > bits, "subset", "positions from 1 to " + bits, position);
            Refuse.when(!seen.add(position), "subset", "each position once", position + " twice");
        }
        this.bits = bits;
        this.subset = subset.clone();
        ends = IntArrayList.of(bits);
        first = new int[k - 1];
        second = new int[k - 1];
        parents = new Int2IntOpenHashMap(2 * k);
        int[] below = subset;
        for (int node = bits; below.length > 1; ends.add(node)) {
            int[] level = new int[below.length / 2];
            for (int pair = 0; pair < level.length; pair++) {
                level[pair] = ++node;
                first[node - bits - 1] = Math.min(below[2 * pair], below[2 * pair + 1]);
                second[node - bits - 1] = Math.max(below[2 * pair], below[2 * pair + 1]);
                parents.put(below[2 * pair], node);
                parents.put(below[2 * pair + 1], node);
            }
            below = level;
        }
    }

    /**
     * The tree of a uniformly drawn subset of {@code size} bits, in ascending order.
     *
     * @throws IllegalArgumentException if {@code size} is not a power of two from 2 to {@code bits}
     */
    public static ParityTree random(int bits, int size, RandomGenerator random) {
        Refuse.outside("size", size, 2, bits);
        int[] positions = IntStream.rangeClosed(1, bits).toArray();
        IntArrays.shuffle(positions, Random.from(random));
        int[] subset = Arrays.copyOf(positions, size);
        Arrays.sort(subset);
        return new ParityTree(bits, subset);
    }

    /** d. */
    public int bits() {
        return bits;
    }

    /** k. */
    public int size() {
        return subset.length;
    }

    /** The positions, in the given order. */
    public int[] subset() {
        return subset.clone();
    }

    /** v = log2 k. */
    public int height() {
        return ends.size() - 1;
    }

    /** d + k - 1, the number of nodes; the last node is the answer. */
    public int nodes() {
        return bits + subset.length - 1;
    }

    /** d_l, the last node of level l = {@code level}, from 0 to the height; 0 for level -1. */
    public int end(int level) {
        return level < 0 ? 0 : ends.getInt(level);
    }

    /** h[m], the level of a node; 0 for a bit. */
    public int level(int node) {
        int level = 0;
        while (node > ends.getInt(level)) {
            level++;
        }
        return level;
    }

    /** c1[m] of a node above d. */
    public int first(int node) {
        return first[node - bits - 1];
    }

    /** c2[m] of a node above d. */
    public int second(int node) {
        return second[node - bits - 1];
    }

    /** p[j], the parent of a node; 0 for a bit outside the subset and for the last node. */
    public int parent(int node) {
        return parents.get(node);
    }

    /**
     * The columns of all nodes for inputs of d columns; node m has column m - 1.
     *
     * @param inputs d columns
     */
    public SignColumns complete(SignColumns inputs) {
        inputs.requireColumns(bits);
        SignColumns all = inputs.widened(nodes());
        for (int node = bits + 1; node <= nodes(); node++) {
            all.multiply(node - 1, first(node) - 1, second(node) - 1);
        }
        return all;
    }
}
